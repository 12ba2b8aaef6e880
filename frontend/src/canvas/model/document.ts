/**
 * The model document as the canvas holds it: plain immutable data, the same JSON the server stores.
 *
 * Ports are addressed as `node.port`; a wire has no id of its own, its two ends name it.
 */
export type Scalar = number | boolean | string;

export interface Endpoint {
  readonly node: string;
  readonly port: string;
}

export interface Wire {
  readonly source: Endpoint;
  readonly target: Endpoint;
}

export interface DocNode {
  readonly id: string;
  readonly type: string;
  readonly params: Readonly<Record<string, Scalar>>;
  readonly title: string;
}

export interface VertexProgram {
  readonly name: string;
  readonly source: string;
}

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** A box around nodes, notes and other groups. Only the canvas knows it. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly members: readonly string[];
  readonly collapsed: boolean;
}

/** A comment on the canvas; its place is in `layout`, as that of a node. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

export interface ModelDoc {
  readonly schema_version: number;
  readonly nodes: readonly DocNode[];
  readonly wires: readonly Wire[];
  readonly programs: readonly VertexProgram[];
  readonly groups: readonly Group[];
  readonly notes: readonly Note[];
  readonly layout: Readonly<Record<string, Position>>;
  /** The model's text as its author left it; empty where nobody wrote in it. */
  readonly code: string;
}

export const SCHEMA_VERSION = 1;

export const NOTE_SIZE = { width: 208, height: 96 } as const;

export const EMPTY_DOC: ModelDoc = {
  schema_version: SCHEMA_VERSION,
  nodes: [],
  wires: [],
  programs: [],
  groups: [],
  notes: [],
  layout: {},
  code: '',
};

export function portKey(end: Endpoint): string {
  return `${end.node}.${end.port}`;
}

export function wireId(wire: Wire): string {
  return `${portKey(wire.source)}>${portKey(wire.target)}`;
}

interface WireIndex {
  readonly byId: ReadonlyMap<string, Wire>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly into: ReadonlyMap<string, readonly Wire[]>;
  readonly from: ReadonlyMap<string, readonly Wire[]>;
  readonly ofNode: ReadonlyMap<string, readonly Wire[]>;
}

// Lists never change, so what was looked up once stays true: dragging a node makes a new document, but no new lists.
const nodeIndices = new WeakMap<readonly DocNode[], ReadonlyMap<string, DocNode>>();
const wireIndices = new WeakMap<readonly Wire[], WireIndex>();

function nodesById(doc: ModelDoc): ReadonlyMap<string, DocNode> {
  const known = nodeIndices.get(doc.nodes);
  if (known) return known;
  const index = new Map(doc.nodes.map((node) => [node.id, node]));
  nodeIndices.set(doc.nodes, index);
  return index;
}

function wireIndex(doc: ModelDoc): WireIndex {
  const known = wireIndices.get(doc.wires);
  if (known) return known;
  const byId = new Map<string, Wire>();
  const numbers = new Map<string, number>();
  const into = new Map<string, Wire[]>();
  const from = new Map<string, Wire[]>();
  const ofNode = new Map<string, Wire[]>();
  doc.wires.forEach((wire, i) => {
    byId.set(wireId(wire), wire);
    numbers.set(wireId(wire), i);
    append(into, portKey(wire.target), wire);
    append(from, portKey(wire.source), wire);
    append(ofNode, wire.source.node, wire);
    if (wire.target.node !== wire.source.node) append(ofNode, wire.target.node, wire);
  });
  const index = { byId, numbers, into, from, ofNode };
  wireIndices.set(doc.wires, index);
  return index;
}

function append<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

const NO_WIRES: readonly Wire[] = [];

export function findNode(doc: ModelDoc, id: string): DocNode | undefined {
  return nodesById(doc).get(id);
}

export function findWire(doc: ModelDoc, id: string): Wire | undefined {
  return wireIndex(doc).byId.get(id);
}

/** Its place in the document's list, which is how the server points at a wire. */
export function wireNumber(doc: ModelDoc, wire: Wire): number {
  return wireIndex(doc).numbers.get(wireId(wire)) ?? -1;
}

/** Wires that end at one port, in the order they were drawn. */
export function wiresInto(doc: ModelDoc, target: Endpoint): readonly Wire[] {
  return wireIndex(doc).into.get(portKey(target)) ?? NO_WIRES;
}

/** Wires that begin at one port. */
export function wiresFrom(doc: ModelDoc, source: Endpoint): readonly Wire[] {
  return wireIndex(doc).from.get(portKey(source)) ?? NO_WIRES;
}

/** Wires with an end at one node. */
export function wiresOf(doc: ModelDoc, node: string): readonly Wire[] {
  return wireIndex(doc).ofNode.get(node) ?? NO_WIRES;
}

/** Wires with an end in one of `ids`. */
export function wiresTouching(doc: ModelDoc, ids: ReadonlySet<string>): Wire[] {
  return doc.wires.filter((wire) => ids.has(wire.source.node) || ids.has(wire.target.node));
}

// Values never change either: of a document that was edited, only what is new is written out again.
const written = new WeakMap<object, string>();

/** Same value, same text: keys sorted, no blanks. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const known = written.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : objectJson(value);
  written.set(value, text);
  return text;
}

function objectJson(value: object): string {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

/** A 53-bit hash of a text: equality checks without keeping the text. Works on plain http, where `crypto.subtle` is missing. */
export function hashText(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** Hash of everything a draft stores, positions included. */
export function draftHash(doc: ModelDoc): string {
  return hashText(canonicalJson(doc));
}

/** Hash of what the model means: what only the canvas knows is left out, so moving a node makes no new version. */
export function meaningHash(doc: ModelDoc): string {
  const { layout: _, groups: __, notes: ___, code: ____, ...meaning } = doc;
  return hashText(canonicalJson(meaning));
}
