import type { StrategyDocument } from './types';

/** How a weight or an input lies on the devices; those of repeated blocks that lie alike are one. */
export interface Split {
  /** "blocks 0–3 · up weight". */
  readonly name: string;
  /** Into how many pieces each dimension of the tensor is cut; those not named are whole. */
  readonly pieces: ReadonlyMap<number, number>;
}

const PREFIX = /^[pb]_/;
const NUMBER = /(?<=_)\d+(?=_)/;

/** Pieces by dimension of a layout such as "S1 S0": which dimension every dimension of the mesh cuts. */
function piecesOf(layout: string, mesh: readonly number[]): Map<number, number> {
  const pieces = new Map<number, number>();
  layout.split(' ').forEach((placement, i) => {
    if (!placement.startsWith('S')) return;
    const dim = Number(placement.slice(1));
    pieces.set(dim, (pieces.get(dim) ?? 1) * (mesh[i] ?? 1));
  });
  return pieces;
}

/** Every tensor that nothing computes, in the model's order. */
export function splitsOf({ operators, mesh }: StrategyDocument): Split[] {
  const groups = new Map<string, { pattern: string; layout: string; numbers: number[] }>();
  for (const [name, { inputs, outputs }] of Object.entries(operators)) {
    const layout = outputs?.[0];
    if (layout === undefined || (inputs ?? []).length > 0) continue;
    const number = NUMBER.exec(name)?.[0];
    const pattern = name.replace(NUMBER, '#');
    const key = `${pattern} ${layout}`;
    const group = groups.get(key) ?? { pattern, layout, numbers: [] };
    if (number !== undefined) group.numbers.push(Number(number));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ pattern, layout, numbers }) => ({
    name: nameOf(pattern, numbers),
    pieces: piecesOf(layout, mesh),
  }));
}

function nameOf(pattern: string, numbers: readonly number[]): string {
  const words = (text: string) => text.replaceAll('_', ' ').trim();
  const [before = '', after] = pattern.replace(PREFIX, '').split('#');
  return after === undefined ? words(before) : `${words(before)} ${rangesOf(numbers)} · ${words(after)}`;
}

/** [0, 1, 2, 5] as "0–2, 5". */
export function rangesOf(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && n === last[1] + 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

const DIMENSIONS = ['rows', 'columns'];

/** "rows ÷ 4, columns ÷ 2", or "whole". */
export function sayPieces(pieces: Split['pieces']): string {
  const said = [...pieces]
    .sort(([a], [b]) => a - b)
    .map(([dim, n]) => `${DIMENSIONS[dim] ?? `dimension ${dim}`} ÷ ${n}`);
  return said.join(', ') || 'whole';
}
