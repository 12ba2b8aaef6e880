/** How the kind and shape of a value are said, the same on wires, in the inspector and in a refusal. */
import type { PortInfo } from './catalog';

export interface ValueType {
  readonly kind: string;
  /** Sizes of one row: numbers, or symbols (F, C) until a dataset is chosen. */
  readonly shape: readonly (number | string)[];
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  vertex: 'vertex feature',
  dst: 'destination feature',
  src: 'source feature',
  edge: 'edge feature',
  graph: 'graph feature',
  any: 'vertex or graph feature',
  param: 'parameter',
  scalar: 'scalar',
};

const ROWS: Readonly<Record<string, readonly string[]>> = {
  vertex: ['N'],
  dst: ['N'],
  src: ['N'],
  edge: ['E'],
  graph: ['G'],
  any: ['R'],
};

/** A port of a layer or name that is not known here: taken on trust. */
export const UNKNOWN_KIND = 'unknown';
/** Rows of vertices or of graphs: what a layer gives is of the kind it was given. */
export const EITHER = 'any';
const EITHER_KINDS: readonly string[] = ['vertex', 'graph', EITHER];

/** May a value of the one kind go into a port of the other, as far as kinds say? */
export function kindsMeet(output: string, input: string): boolean {
  if (output === input || output === UNKNOWN_KIND || input === UNKNOWN_KIND) return true;
  return [output, input].includes(EITHER) && [output, input].every((kind) => EITHER_KINDS.includes(kind));
}

/** An unknown kind is said by its own name, so a newer server still reads well. */
export function kindWord(kind: string): string {
  return KIND_WORDS[kind] ?? kind;
}

export function shapeText(type: ValueType): string {
  return `[${[...(ROWS[type.kind] ?? []), ...type.shape].join(', ')}]`;
}

export function typeText(type: ValueType): string {
  return `${kindWord(type.kind)} ${shapeText(type)}`;
}

/** What a port takes, whatever the width: `vertex feature [N, d]`. */
export function portText(port: PortInfo): string {
  return typeText({ kind: port.kind, shape: ROWS[port.kind] ? ['d'] : [] });
}

export function sameType(a: ValueType, b: ValueType): boolean {
  return (
    a.kind === b.kind && a.shape.length === b.shape.length && a.shape.every((size, i) => size === b.shape[i])
  );
}

export function width(type: ValueType): number | string {
  return type.shape.at(-1) ?? 1;
}
