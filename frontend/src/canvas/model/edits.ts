/** The commands of the editor: what a person does, as operations on the document. All are pure and can be undone. */
import {
  type DocNode,
  EMPTY_DOC,
  type Endpoint,
  findNode,
  type ModelDoc,
  type Position,
  portKey,
  type Scalar,
  type VertexProgram,
  type Wire,
  wireId,
  wiresInto,
  wiresTouching,
} from './document';
import { itemsWithin, leaveGroups } from './groups';
import type { Command } from './history';
import type { Operation } from './operations';

const NOTHING: Command = { name: '', operations: [] };

export function addNode(doc: ModelDoc, node: DocNode, position: Position, name: string): Command {
  return {
    name: `Add ${name}`,
    operations: [
      { op: 'insert_node', node, index: doc.nodes.length },
      { op: 'set_position', id: node.id, position },
    ],
  };
}

/**
 * Deletes nodes, notes and groups with all that is in them, every wire that touches them, and wires on their own.
 * A group that nothing is left in goes too.
 */
export function removeItems(
  doc: ModelDoc,
  ids: ReadonlySet<string>,
  wireIds: ReadonlySet<string>,
  name: string,
): Command {
  const gone = new Set(itemsWithin(doc, ids));
  const wires = new Set([...wiresTouching(doc, gone).map(wireId), ...wireIds]);
  const operations: Operation[] = [...wires].map((id) => ({ op: 'remove_wire', id }));
  operations.push(...leaveGroups(doc, gone));
  for (const id of gone) {
    operations.push({ op: 'remove_node', id }, { op: 'remove_note', id }, { op: 'remove_group', id });
    operations.push({ op: 'set_position', id, position: null });
  }
  return { name: `Delete ${name}`, operations };
}

export function connect(doc: ModelDoc, wire: Wire, replaces: Wire | null = null): Command {
  const operations: Operation[] = [];
  if (replaces) operations.push({ op: 'remove_wire', id: wireId(replaces) });
  operations.push({ op: 'insert_wire', wire, index: doc.wires.length - operations.length });
  return { name: replaces ? 'Replace wire' : 'Connect', operations };
}

export function disconnect(wire: Wire): Command {
  return { name: 'Disconnect', operations: [{ op: 'remove_wire', id: wireId(wire) }] };
}

/** Puts `node` between the two ends in place of their wire, or of every wire where the port takes one. One step. */
export function insertBetween(
  doc: ModelDoc,
  source: Endpoint,
  target: Endpoint,
  middle: { node: DocNode; input: string; output: string; position: Position; name: string; many: boolean },
): Command {
  const { node, position, name, many } = middle;
  const old = wiresInto(doc, target).filter((wire) => !many || portKey(wire.source) === portKey(source));
  const operations: Operation[] = old.map((wire) => ({ op: 'remove_wire', id: wireId(wire) }));
  const index = doc.wires.length - old.length;
  operations.push(
    { op: 'insert_node', node, index: doc.nodes.length },
    { op: 'set_position', id: node.id, position },
    { op: 'insert_wire', wire: { source, target: { node: node.id, port: middle.input } }, index },
    { op: 'insert_wire', wire: { source: { node: node.id, port: middle.output }, target }, index: index + 1 },
  );
  return { name: `Insert ${name}`, operations };
}

export function setParam(doc: ModelDoc, id: string, param: string, value: Scalar | undefined): Command {
  const node = findNode(doc, id);
  if (!node) return NOTHING;
  const { [param]: _, ...rest } = node.params;
  const params = value === undefined ? rest : { ...node.params, [param]: value };
  return {
    name: `Set ${param.replaceAll('_', ' ')}`,
    operations: [{ op: 'set_node', node: { ...node, params } }],
  };
}

export function setTitle(doc: ModelDoc, id: string, title: string): Command {
  const node = findNode(doc, id);
  if (!node) return NOTHING;
  return {
    name: 'Rename node',
    operations: [{ op: 'set_node', node: { ...node, title: title.slice(0, 80) } }],
  };
}

export function moveNodes(positions: ReadonlyMap<string, Position>): Command {
  const name = positions.size === 1 ? 'Move node' : `Move ${positions.size} nodes`;
  return { name, operations: placements(positions) };
}

export function arrange(positions: ReadonlyMap<string, Position>): Command {
  return { name: 'Auto-layout', operations: placements(positions) };
}

export function setProgram(doc: ModelDoc, program: VertexProgram): Command {
  const known = doc.programs.some((one) => one.name === program.name);
  const operation: Operation = known
    ? { op: 'set_program', program }
    : { op: 'insert_program', program, index: doc.programs.length };
  return { name: `Edit ${program.name}`, operations: [operation] };
}

/** Adds a checked fragment (a paste, an import) as one step. */
export function addFragment(doc: ModelDoc, fragment: ModelDoc, name: string): Command {
  const operations: Operation[] = [];
  fragment.programs.forEach((program, i) => {
    operations.push({ op: 'insert_program', program, index: doc.programs.length + i });
  });
  fragment.nodes.forEach((node, i) => {
    operations.push({ op: 'insert_node', node, index: doc.nodes.length + i });
  });
  operations.push(...placements(new Map(Object.entries(fragment.layout))));
  fragment.wires.forEach((wire, i) => {
    operations.push({ op: 'insert_wire', wire, index: doc.wires.length + i });
  });
  fragment.groups.forEach((group, i) => {
    operations.push({ op: 'insert_group', group, index: doc.groups.length + i });
  });
  fragment.notes.forEach((note, i) => {
    operations.push({ op: 'insert_note', note, index: doc.notes.length + i });
  });
  return { name, operations };
}

/** Makes the document equal to `next` in one step that undo takes back (take theirs, restore). */
export function replaceAll(doc: ModelDoc, next: ModelDoc, name: string): Command {
  const operations: Operation[] = [
    ...doc.wires.map((wire): Operation => ({ op: 'remove_wire', id: wireId(wire) })),
    ...doc.nodes.map((node): Operation => ({ op: 'remove_node', id: node.id })),
    ...doc.programs.map((program): Operation => ({ op: 'remove_program', name: program.name })),
    ...doc.groups.map((group): Operation => ({ op: 'remove_group', id: group.id })),
    ...doc.notes.map((note): Operation => ({ op: 'remove_note', id: note.id })),
    ...Object.keys(doc.layout).map((id): Operation => ({ op: 'set_position', id, position: null })),
  ];
  const empty: ModelDoc = { ...EMPTY_DOC, schema_version: doc.schema_version };
  return { name, operations: [...operations, ...addFragment(empty, next, name).operations] };
}

function placements(positions: ReadonlyMap<string, Position>): Operation[] {
  return [...positions].map(([id, position]) => ({ op: 'set_position', id, position }));
}
