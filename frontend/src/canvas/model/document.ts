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

export interface ModelDoc {
  readonly schema_version: number;
  readonly nodes: readonly DocNode[];
  readonly wires: readonly Wire[];
  readonly programs: readonly VertexProgram[];
  readonly layout: Readonly<Record<string, Position>>;
}

export const SCHEMA_VERSION = 1;

export const EMPTY_DOC: ModelDoc = {
  schema_version: SCHEMA_VERSION,
  nodes: [],
  wires: [],
  programs: [],
  layout: {},
};

export function portKey(end: Endpoint): string {
  return `${end.node}.${end.port}`;
}

export function wireId(wire: Wire): string {
  return `${portKey(wire.source)}>${portKey(wire.target)}`;
}

interface DocIndex {
  readonly nodes: ReadonlyMap<string, DocNode>;
  readonly into: ReadonlyMap<string, readonly Wire[]>;
}

/** Documents never change, so what was looked up once stays true. */
const indices = new WeakMap<ModelDoc, DocIndex>();

function indexOf(doc: ModelDoc): DocIndex {
  const known = indices.get(doc);
  if (known) return known;
  const into = new Map<string, Wire[]>();
  for (const wire of doc.wires) {
    const key = portKey(wire.target);
    into.set(key, [...(into.get(key) ?? []), wire]);
  }
  const index = { nodes: new Map(doc.nodes.map((node) => [node.id, node])), into };
  indices.set(doc, index);
  return index;
}

export function findNode(doc: ModelDoc, id: string): DocNode | undefined {
  return indexOf(doc).nodes.get(id);
}

/** Wires that end at one port, in the order they were drawn. */
export function wiresInto(doc: ModelDoc, target: Endpoint): readonly Wire[] {
  return indexOf(doc).into.get(portKey(target)) ?? [];
}

/** Wires with an end in one of `ids`. */
export function wiresTouching(doc: ModelDoc, ids: ReadonlySet<string>): Wire[] {
  return doc.wires.filter((wire) => ids.has(wire.source.node) || ids.has(wire.target.node));
}

/** Same value, same text: keys sorted, no blanks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
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

/** Hash of what the model means: positions left out, so moving a node makes no new version. */
export function meaningHash(doc: ModelDoc): string {
  const { layout: _, ...meaning } = doc;
  return hashText(canonicalJson(meaning));
}
