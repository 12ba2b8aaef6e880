/** A vertex program as the server draws it, and the ports its nodes have on the canvas. */
import type { Schemas } from '@/api/types';

export type ProgramGraph = Schemas['ProgramGraph'];
export type ProgramNode = Schemas['ProgramNode'];
export type ProgramWire = Schemas['ProgramWire'];
export type Place = ProgramWire['place'];
export type ProgramOp = Schemas['ProgramOp'];

/** What a place is called and drawn as; the names are those of the port glyphs. */
export const KINDS: Readonly<Record<Place, { glyph: string; word: string; rows: string }>> = {
  source: { glyph: 'src', word: 'source value', rows: 'N' },
  edge: { glyph: 'edge', word: 'edge value', rows: 'E' },
  destination: { glyph: 'dst', word: 'destination value', rows: 'N' },
  vertex: { glyph: 'vertex', word: 'vertex value', rows: 'N' },
  parameter: { glyph: 'param', word: 'parameter', rows: '' },
  scalar: { glyph: 'scalar', word: 'number', rows: '' },
};

export interface InPort {
  readonly argument: number;
  readonly name: string;
  readonly place: Place;
}

/** Operands that arrive by a wire are ports; numbers and constants stand on the node as text. */
export function inPorts(node: ProgramNode): InPort[] {
  return node.arguments.flatMap(({ name, place, kind }, argument) =>
    kind === 'wire' && place !== 'scalar' ? [{ argument, name, place }] : [],
  );
}

/** What else is set on a node: `slope 0.2`. */
export function settingsText(node: ProgramNode): string {
  return node.arguments
    .filter((one) => (one.kind === 'literal' || one.place === 'scalar') && one.text !== '')
    .map((one) => one.text)
    .join(', ');
}

/** A vertex's value leaves as that of v and, where a neighbour's is read, as that of a source. */
export function outPlaces(graph: ProgramGraph, node: ProgramNode): Place[] {
  if (node.kind === 'result') return [];
  const read = graph.wires.filter((wire) => wire.source === node.id).map((wire) => wire.place);
  const found = [...new Set(read.map((place) => shownAs(node, place)))];
  return found.length > 0 ? found.sort() : [shownAs(node, node.value.place)];
}

/** Both ends of an edge read what a vertex holds; only the neighbour's is told apart. */
export function shownAs(node: ProgramNode, place: Place): Place {
  if (place !== 'destination') return place;
  return node.value.place === 'vertex' ? 'vertex' : place;
}

/** Constants are settings, not boxes. */
export function drawnNodes(graph: ProgramGraph): ProgramNode[] {
  return graph.nodes.filter((node) => node.kind !== 'constant');
}

export function drawnWires(graph: ProgramGraph): ProgramWire[] {
  const drawn = new Set(drawnNodes(graph).map((node) => node.id));
  return graph.wires.filter(
    (wire) => wire.place !== 'scalar' && drawn.has(wire.source) && drawn.has(wire.target),
  );
}

export function wireKey(wire: Pick<ProgramWire, 'source' | 'target' | 'argument'>): string {
  return `${wire.source} > ${wire.target} ${wire.argument}`;
}

export function nodeOf(graph: ProgramGraph, id: string | null): ProgramNode | undefined {
  return graph.nodes.find((node) => node.id === id);
}

/** `[E, 4, 8]`: rows, then the sizes of one; the sizes as written where they are not known. */
export function shapeOf(node: ProgramNode, place: Place = node.value.place): string {
  const { rows } = KINDS[place];
  const sizes = node.value.shape ?? (node.value.declared === null ? null : [node.value.declared]);
  if (sizes === null) return '';
  return `[${[...(rows ? [rows] : []), ...sizes].filter((size) => size !== '').join(', ')}]`;
}

/** What is written on the node: declarations by their name, operations by theirs, with the value's name below. */
export function titleOfNode(node: ProgramNode): string {
  if (node.kind === 'parameter' || node.kind === 'feature') return node.label;
  return TITLES[node.op] ?? node.label;
}

const TITLES: Readonly<Record<string, string>> = {
  matmul: 'Linear  @',
  add: 'Add  +',
  sub: 'Subtract  −',
  mul: 'Multiply  ×',
  div: 'Divide  ÷',
};
