/** Port kinds by colour AND shape, so neither has to be told apart alone. An unknown kind is a dashed square. */

interface Look {
  readonly colour: string;
  readonly shape: string;
}

const LOOKS: Readonly<Record<string, Look>> = {
  src: { colour: 'var(--port-source)', shape: 'M1.5 1.5h9v9h-9z' },
  edge: { colour: 'var(--port-edge)', shape: 'M6 0l6 6-6 6-6-6z' },
  vertex: { colour: 'var(--port-dest)', shape: 'M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8z' },
  dst: { colour: 'var(--port-dest)', shape: 'M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8z' },
  any: { colour: 'var(--port-dest)', shape: 'M6 .4l5.4 4.1-2 6.5H2.6l-2-6.5z' },
  graph: { colour: 'var(--port-graph)', shape: 'M6 .4l5.4 4.1-2 6.5H2.6l-2-6.5z' },
  param: { colour: 'var(--port-param)', shape: 'M6 .6l5.8 10.4H.2z' },
};

const RING = 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z';
const UNKNOWN = 'M2 2h8v8H2z';

export function kindColour(kind: string): string {
  return LOOKS[kind]?.colour ?? 'var(--port-scalar)';
}

/** A glyph on a grid of 12 for drawings that are no part of the page. */
export function glyphOf(kind: string): { path: string; fill: string; stroke: string | null } {
  const look = LOOKS[kind];
  if (look) return { path: look.shape, fill: look.colour, stroke: null };
  return { path: kind === 'scalar' ? RING : UNKNOWN, fill: 'var(--surface)', stroke: 'var(--port-scalar)' };
}

export function PortGlyph({ kind, size = 12 }: { kind: string; size?: number }) {
  const look = LOOKS[kind];
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} aria-hidden="true" className="port-glyph">
      {look ? (
        <path d={look.shape} fill={look.colour} />
      ) : (
        <path
          d={kind === 'scalar' ? RING : UNKNOWN}
          fill="var(--surface)"
          stroke="var(--port-scalar)"
          strokeWidth={kind === 'scalar' ? 2.4 : 1.4}
          strokeDasharray={kind === 'scalar' ? undefined : '2 1.4'}
        />
      )}
    </svg>
  );
}
