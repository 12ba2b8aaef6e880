/**
 * The primitive changes of a document and their inverses. Nothing else makes a new document.
 *
 * `applyOperation` gives the changed document and the operation that takes it back, or null where nothing would change,
 * so a click that moves nothing leaves no step in the history.
 */
import {
  canonicalJson,
  type DocNode,
  type Endpoint,
  type Group,
  type ModelDoc,
  type Note,
  type Position,
  type VertexProgram,
  type Wire,
  wireId,
} from './document';

export type Operation =
  | { readonly op: 'insert_node'; readonly node: DocNode; readonly index: number }
  | { readonly op: 'remove_node'; readonly id: string }
  | { readonly op: 'set_node'; readonly node: DocNode }
  | { readonly op: 'insert_wire'; readonly wire: Wire; readonly index: number }
  | { readonly op: 'remove_wire'; readonly id: string }
  | { readonly op: 'insert_program'; readonly program: VertexProgram; readonly index: number }
  | { readonly op: 'remove_program'; readonly name: string }
  | { readonly op: 'set_program'; readonly program: VertexProgram }
  | { readonly op: 'insert_group'; readonly group: Group; readonly index: number }
  | { readonly op: 'remove_group'; readonly id: string }
  | { readonly op: 'set_group'; readonly group: Group }
  | { readonly op: 'insert_note'; readonly note: Note; readonly index: number }
  | { readonly op: 'remove_note'; readonly id: string }
  | { readonly op: 'set_note'; readonly note: Note }
  | { readonly op: 'set_position'; readonly id: string; readonly position: Position | null }
  | { readonly op: 'set_document'; readonly doc: ModelDoc };

export interface Applied {
  readonly doc: ModelDoc;
  readonly inverse: Operation;
}

export function applyOperation(doc: ModelDoc, operation: Operation): Applied | null {
  switch (operation.op) {
    case 'insert_node':
      return {
        doc: { ...doc, nodes: insertAt(doc.nodes, operation.node, operation.index) },
        inverse: { op: 'remove_node', id: operation.node.id },
      };
    case 'remove_node':
      return removeNode(doc, operation.id);
    case 'set_node':
      return setNode(doc, operation.node);
    case 'insert_wire':
      return insertWire(doc, operation.wire, operation.index);
    case 'remove_wire':
      return removeWire(doc, operation.id);
    case 'insert_program':
      return {
        doc: { ...doc, programs: insertAt(doc.programs, operation.program, operation.index) },
        inverse: { op: 'remove_program', name: operation.program.name },
      };
    case 'remove_program':
      return removeProgram(doc, operation.name);
    case 'set_program':
      return setProgram(doc, operation.program);
    case 'insert_group':
      return {
        doc: { ...doc, groups: insertAt(doc.groups, operation.group, operation.index) },
        inverse: { op: 'remove_group', id: operation.group.id },
      };
    case 'remove_group':
      return removeGroup(doc, operation.id);
    case 'set_group':
      return setGroup(doc, operation.group);
    case 'insert_note':
      return {
        doc: { ...doc, notes: insertAt(doc.notes, operation.note, operation.index) },
        inverse: { op: 'remove_note', id: operation.note.id },
      };
    case 'remove_note':
      return removeNote(doc, operation.id);
    case 'set_note':
      return setNote(doc, operation.note);
    case 'set_position':
      return setPosition(doc, operation.id, operation.position);
    case 'set_document':
      return operation.doc === doc ? null : { doc: operation.doc, inverse: { op: 'set_document', doc } };
  }
}

/** What a later operation of the same gesture replaces: `null` where both must be kept. */
export function overwriteKey(operation: Operation): string | null {
  switch (operation.op) {
    case 'set_position':
      return `position ${operation.id}`;
    case 'set_node':
      return `node ${operation.node.id}`;
    case 'set_program':
      return `program ${operation.program.name}`;
    case 'set_group':
      return `group ${operation.group.id}`;
    case 'set_note':
      return `note ${operation.note.id}`;
    case 'set_document':
      return 'document';
    default:
      return null;
  }
}

function removeNode(doc: ModelDoc, id: string): Applied | null {
  const index = doc.nodes.findIndex((node) => node.id === id);
  const node = doc.nodes[index];
  if (!node) return null;
  return { doc: { ...doc, nodes: removeAt(doc.nodes, index) }, inverse: { op: 'insert_node', node, index } };
}

function setNode(doc: ModelDoc, node: DocNode): Applied | null {
  const index = doc.nodes.findIndex((one) => one.id === node.id);
  const before = doc.nodes[index];
  if (!before || sameNode(before, node)) return null;
  return {
    doc: { ...doc, nodes: replaceAt(doc.nodes, index, node) },
    inverse: { op: 'set_node', node: before },
  };
}

function insertWire(doc: ModelDoc, wire: Wire, index: number): Applied | null {
  const id = wireId(wire);
  if (doc.wires.some((one) => sameWire(one, wire))) return null;
  return { doc: { ...doc, wires: insertAt(doc.wires, wire, index) }, inverse: { op: 'remove_wire', id } };
}

function removeWire(doc: ModelDoc, id: string): Applied | null {
  const index = doc.wires.findIndex((wire) => wireId(wire) === id);
  const wire = doc.wires[index];
  if (!wire) return null;
  return { doc: { ...doc, wires: removeAt(doc.wires, index) }, inverse: { op: 'insert_wire', wire, index } };
}

function removeProgram(doc: ModelDoc, name: string): Applied | null {
  const index = doc.programs.findIndex((program) => program.name === name);
  const program = doc.programs[index];
  if (!program) return null;
  return {
    doc: { ...doc, programs: removeAt(doc.programs, index) },
    inverse: { op: 'insert_program', program, index },
  };
}

function setProgram(doc: ModelDoc, program: VertexProgram): Applied | null {
  const index = doc.programs.findIndex((one) => one.name === program.name);
  const before = doc.programs[index];
  if (!before || before.source === program.source) return null;
  return {
    doc: { ...doc, programs: replaceAt(doc.programs, index, program) },
    inverse: { op: 'set_program', program: before },
  };
}

function removeGroup(doc: ModelDoc, id: string): Applied | null {
  const index = doc.groups.findIndex((group) => group.id === id);
  const group = doc.groups[index];
  if (!group) return null;
  return {
    doc: { ...doc, groups: removeAt(doc.groups, index) },
    inverse: { op: 'insert_group', group, index },
  };
}

function setGroup(doc: ModelDoc, group: Group): Applied | null {
  const index = doc.groups.findIndex((one) => one.id === group.id);
  const before = doc.groups[index];
  if (!before || canonicalJson(before) === canonicalJson(group)) return null;
  return {
    doc: { ...doc, groups: replaceAt(doc.groups, index, group) },
    inverse: { op: 'set_group', group: before },
  };
}

function removeNote(doc: ModelDoc, id: string): Applied | null {
  const index = doc.notes.findIndex((note) => note.id === id);
  const note = doc.notes[index];
  if (!note) return null;
  return { doc: { ...doc, notes: removeAt(doc.notes, index) }, inverse: { op: 'insert_note', note, index } };
}

function setNote(doc: ModelDoc, note: Note): Applied | null {
  const index = doc.notes.findIndex((one) => one.id === note.id);
  const before = doc.notes[index];
  if (!before || canonicalJson(before) === canonicalJson(note)) return null;
  return {
    doc: { ...doc, notes: replaceAt(doc.notes, index, note) },
    inverse: { op: 'set_note', note: before },
  };
}

function setPosition(doc: ModelDoc, id: string, position: Position | null): Applied | null {
  const before = doc.layout[id] ?? null;
  if (samePosition(before, position)) return null;
  const { [id]: _, ...rest } = doc.layout;
  const layout = position ? { ...rest, [id]: position } : rest;
  return { doc: { ...doc, layout }, inverse: { op: 'set_position', id, position: before } };
}

function sameWire(a: Wire, b: Wire): boolean {
  return sameEnd(a.source, b.source) && sameEnd(a.target, b.target);
}

function sameEnd(a: Endpoint, b: Endpoint): boolean {
  return a.node === b.node && a.port === b.port;
}

export function samePosition(a: Position | null, b: Position | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y);
}

function sameNode(a: DocNode, b: DocNode): boolean {
  const keys = Object.keys(a.params);
  return (
    a.type === b.type &&
    a.title === b.title &&
    keys.length === Object.keys(b.params).length &&
    keys.every((key) => a.params[key] === b.params[key])
  );
}

function insertAt<T>(items: readonly T[], item: T, index: number): T[] {
  return [...items.slice(0, index), item, ...items.slice(index)];
}

function removeAt<T>(items: readonly T[], index: number): T[] {
  return [...items.slice(0, index), ...items.slice(index + 1)];
}

function replaceAt<T>(items: readonly T[], index: number, item: T): T[] {
  return items.map((one, i) => (i === index ? item : one));
}
