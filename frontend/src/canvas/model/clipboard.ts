/**
 * Copy and paste as plain JSON text, so it crosses tabs, machines and chat windows.
 *
 * What comes in is foreign: it is read field by field with limits, what can be kept is kept, and every thing left out or
 * changed is said in `notes`.
 */
import { isScalar } from './catalog';
import {
  type DocNode,
  EMPTY_DOC,
  type Endpoint,
  type ModelDoc,
  type Position,
  SCHEMA_VERSION,
  type Scalar,
  type VertexProgram,
  type Wire,
  wireId,
} from './document';
import { itemsWithin } from './groups';
import { freshId, ID, idsOf, stemOf } from './ids';
import { isRecord, readDrawn } from './read-drawn';

const FORMAT = 'asterism/model';
const MAX_TEXT = 5_000_000;
const MAX_NODES = 2000;

export interface Pasted {
  readonly fragment: ModelDoc;
  readonly notes: readonly string[];
}

/** The chosen nodes, notes and groups with all that is in them, the wires among them, and the programs they run. */
export function copyFragment(doc: ModelDoc, chosen: ReadonlySet<string>): string {
  const ids = new Set(itemsWithin(doc, chosen));
  const nodes = doc.nodes.filter((node) => ids.has(node.id));
  const used = new Set(nodes.flatMap((node) => Object.values(node.params)));
  return exportText({
    schema_version: doc.schema_version,
    nodes,
    wires: doc.wires.filter((wire) => ids.has(wire.source.node) && ids.has(wire.target.node)),
    programs: doc.programs.filter((program) => used.has(program.name)),
    groups: doc.groups
      .filter((group) => ids.has(group.id))
      .map((group) => ({ ...group, members: group.members.filter((id) => ids.has(id)) })),
    notes: doc.notes.filter((note) => ids.has(note.id)),
    layout: Object.fromEntries(Object.entries(doc.layout).filter(([id]) => ids.has(id))),
    code: '',
  });
}

export function exportText(doc: ModelDoc): string {
  return JSON.stringify({ format: FORMAT, ...doc }, null, 2);
}

/** Reads pasted text. `notes` says what was wrong; nothing usable gives an empty fragment and the reason. */
export function readFragment(text: string): Pasted {
  if (text.length > MAX_TEXT) return nothing('The text is larger than 5 MB; a model is far smaller.');
  const parsed = parse(text);
  if (parsed === undefined)
    return nothing('This is not JSON. Copy layers in a model, or export a model, and paste that.');
  const source = isRecord(parsed) && isRecord(parsed['document']) ? parsed['document'] : parsed;
  if (!isRecord(source) || !Array.isArray(source['nodes']))
    return nothing('This JSON has no list “nodes”, so it is no model.');
  return readDocument(source, source['nodes']);
}

/** New ids where the document has them already, the wires following; placed `offset` away from where it was copied. */
export function renameInto(doc: ModelDoc, fragment: ModelDoc, offset: Position): ModelDoc {
  const taken = new Set(idsOf(doc));
  const ids = new Map<string, string>();
  for (const old of idsOf(fragment)) {
    const id = taken.has(old) ? freshId(stemOf(old), taken) : old;
    taken.add(id);
    ids.set(old, id);
  }
  const named = (id: string) => ids.get(id) ?? id;
  const programs = renamePrograms(doc, fragment);
  const to = (end: Endpoint): Endpoint => ({ ...end, node: named(end.node) });
  return {
    schema_version: SCHEMA_VERSION,
    nodes: fragment.nodes.map((node) => ({
      ...node,
      id: named(node.id),
      params: follow(node.params, programs.names),
    })),
    wires: fragment.wires.map((wire) => ({ source: to(wire.source), target: to(wire.target) })),
    programs: programs.added,
    groups: fragment.groups.map((group) => ({
      ...group,
      id: named(group.id),
      members: group.members.map(named),
    })),
    notes: fragment.notes.map((note) => ({ ...note, id: named(note.id) })),
    layout: Object.fromEntries(
      Object.entries(fragment.layout).map(([id, at]) => [
        named(id),
        { x: at.x + offset.x, y: at.y + offset.y },
      ]),
    ),
    code: '',
  };
}

function renamePrograms(doc: ModelDoc, fragment: ModelDoc) {
  const taken = new Set(doc.programs.map((program) => program.name));
  const names = new Map<string, string>();
  const added: VertexProgram[] = [];
  for (const program of fragment.programs) {
    if (doc.programs.some((one) => one.name === program.name && one.source === program.source)) continue;
    const name = freshId(stemOf(program.name), taken);
    taken.add(name);
    names.set(program.name, name);
    added.push({ ...program, name });
  }
  return { names, added };
}

function follow(params: DocNode['params'], names: ReadonlyMap<string, string>): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      key === 'program' && typeof value === 'string' ? (names.get(value) ?? value) : value,
    ]),
  );
}

function readDocument(source: Record<string, unknown>, rawNodes: readonly unknown[]): Pasted {
  const notes: string[] = [];
  if (source['schema_version'] !== undefined && source['schema_version'] !== SCHEMA_VERSION) {
    notes.push(
      `Written by another version (${String(source['schema_version'])}); read as version ${SCHEMA_VERSION}.`,
    );
  }
  const nodes = readNodes(rawNodes, notes);
  const ids = new Set(nodes.map((node) => node.id));
  const wires = readWires(source['wires'], ids, notes);
  const programs = readPrograms(source['programs'], notes);
  const drawn = readDrawn(source, ids, notes);
  const layout = readLayout(source['layout'], new Set([...ids, ...drawn.notes.map((note) => note.id)]));
  const code = typeof source['code'] === 'string' ? source['code'] : '';
  return {
    fragment: { schema_version: SCHEMA_VERSION, nodes, wires, programs, ...drawn, layout, code },
    notes,
  };
}

function readNodes(raw: readonly unknown[], notes: string[]): DocNode[] {
  if (raw.length > MAX_NODES) notes.push(`Only the first ${MAX_NODES} of ${raw.length} nodes were read.`);
  const out = new Map<string, DocNode>();
  raw.slice(0, MAX_NODES).forEach((item, i) => {
    const node = readNode(item);
    if (!node) notes.push(`Node ${i + 1} has no usable “id” and “type”; left out.`);
    else if (out.has(node.id)) notes.push(`Node ${i + 1} repeats the id “${node.id}”; left out.`);
    else out.set(node.id, node);
  });
  return [...out.values()];
}

function readNode(item: unknown): DocNode | null {
  if (!isRecord(item)) return null;
  const { id, type, title } = item;
  if (typeof id !== 'string' || !ID.test(id) || typeof type !== 'string' || type.length > 64) return null;
  const params: Record<string, Scalar> = {};
  for (const [key, value] of Object.entries(isRecord(item['params']) ? item['params'] : {})) {
    if (isScalar(value)) params[key] = value;
  }
  return { id, type, params, title: typeof title === 'string' ? title.slice(0, 80) : '' };
}

function readWires(raw: unknown, ids: ReadonlySet<string>, notes: string[]): Wire[] {
  const out = new Map<string, Wire>();
  (Array.isArray(raw) ? raw : []).forEach((item: unknown, i) => {
    const source = isRecord(item) ? readEnd(item['source']) : null;
    const target = isRecord(item) ? readEnd(item['target']) : null;
    if (!source || !target) notes.push(`Wire ${i + 1} does not say its two ends; left out.`);
    else if (!ids.has(source.node) || !ids.has(target.node)) {
      notes.push(
        `Wire ${i + 1} goes to “${ids.has(source.node) ? target.node : source.node}”, which is not in the text; left out.`,
      );
    } else out.set(wireId({ source, target }), { source, target });
  });
  return [...out.values()];
}

function readEnd(item: unknown): Endpoint | null {
  if (!isRecord(item)) return null;
  const { node, port } = item;
  return typeof node === 'string' && typeof port === 'string' ? { node, port } : null;
}

function readPrograms(raw: unknown, notes: string[]): VertexProgram[] {
  const out: VertexProgram[] = [];
  (Array.isArray(raw) ? raw : []).forEach((item: unknown, i) => {
    if (
      isRecord(item) &&
      typeof item['name'] === 'string' &&
      typeof item['source'] === 'string' &&
      item['source'].length <= 20_000
    ) {
      out.push({ name: item['name'], source: item['source'] });
    } else notes.push(`Program ${i + 1} has no usable “name” and “source”; left out.`);
  });
  return out;
}

function readLayout(raw: unknown, ids: ReadonlySet<string>): Record<string, Position> {
  const out: Record<string, Position> = {};
  for (const [id, at] of Object.entries(isRecord(raw) ? raw : {})) {
    if (ids.has(id) && isRecord(at) && isFiniteNumber(at['x']) && isFiniteNumber(at['y']))
      out[id] = { x: at['x'], y: at['y'] };
  }
  return out;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nothing(reason: string): Pasted {
  return {
    fragment: EMPTY_DOC,
    notes: [reason],
  };
}
