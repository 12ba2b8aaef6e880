/**
 * All wires of a large model as a few long paths, one a kind: what is drawn when it is seen from afar, where seven hundred
 * elements would each be kept, listened to and painted.
 *
 * A wire's own piece is kept while both its ends stay where they are, so a drag writes out only the wires it moves.
 */
import type { ModelDoc, Position, Wire } from './document';
import { NODE_WIDTH, portTop } from './geometry';
import type { NodeLook, WireLook } from './looks';

/** The kind, or this one for wires with a problem. */
export const FAULTY = 'faulty';

interface Piece {
  readonly from: Position;
  readonly to: Position;
  readonly path: string;
}

export type FarWires = (
  doc: ModelDoc,
  nodes: ReadonlyMap<string, NodeLook>,
  wires: ReadonlyMap<string, WireLook>,
) => ReadonlyMap<string, string>;

export function farWires(): FarWires {
  let pieces = new Map<string, Piece>();
  return (doc, nodes, wires) => {
    const next = new Map<string, Piece>();
    const paths = new Map<string, string[]>();
    for (const [id, look] of wires) {
      const [from, to] = [doc.layout[look.wire.source.node], doc.layout[look.wire.target.node]];
      if (!from || !to) continue;
      const old = pieces.get(id);
      const piece =
        old?.from === from && old.to === to ? old : { from, to, path: pathOf(look.wire, from, to, nodes) };
      next.set(id, piece);
      const kind = look.problem ? FAULTY : look.kind;
      const list = paths.get(kind);
      if (list) list.push(piece.path);
      else paths.set(kind, [piece.path]);
    }
    pieces = next;
    return new Map([...paths].map(([kind, list]) => [kind, list.join('')]));
  };
}

function pathOf(
  { source, target }: Wire,
  from: Position,
  to: Position,
  nodes: ReadonlyMap<string, NodeLook>,
) {
  const x1 = from.x + NODE_WIDTH;
  const y1 = from.y + portTop(rowOf(nodes.get(source.node), 'outputs', source.port));
  const y2 = to.y + portTop(rowOf(nodes.get(target.node), 'inputs', target.port));
  const bend = Math.max(40, Math.abs(to.x - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
}

function rowOf(look: NodeLook | undefined, side: 'inputs' | 'outputs', port: string): number | null {
  if (!look || look.unary) return null;
  return Math.max(
    0,
    look[side].findIndex((one) => one.name === port),
  );
}
