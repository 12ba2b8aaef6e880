/**
 * Two documents as one that can be drawn: everything of the later one, what was removed kept in its old place, and a mark
 * on each node and wire that differs. Positions are no difference.
 */
import { canonicalJson, type DocNode, type ModelDoc, type Position, type Scalar, wireId } from './document';

export type Mark = 'added' | 'removed' | 'changed';

export interface ParamDifference {
  readonly name: string;
  readonly before: Scalar | undefined;
  readonly after: Scalar | undefined;
}

export interface NodeDifference {
  readonly id: string;
  readonly mark: Mark;
  readonly node: DocNode;
  readonly params: readonly ParamDifference[];
}

export interface DocDiff {
  /** Drawn by the canvas as any model. */
  readonly union: ModelDoc;
  /** By node id, and by wire id. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly nodes: readonly NodeDifference[];
  readonly wires: readonly { readonly id: string; readonly mark: Mark }[];
  readonly programs: readonly ProgramDifference[];
  readonly drawn: readonly { readonly text: string; readonly mark: Mark }[];
  readonly same: boolean;
}

export interface ProgramDifference {
  readonly name: string;
  readonly mark: Mark;
  readonly before: string;
  readonly after: string;
}

interface Pair<T> {
  readonly key: string;
  readonly mark: Mark;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export function diffDocs(before: ModelDoc, after: ModelDoc): DocDiff {
  const nodes = pairs(before.nodes, after.nodes, (node) => node.id).map(nodeDifference);
  const wires = pairs(before.wires, after.wires, wireId);
  const programs = pairs(before.programs, after.programs, (program) => program.name);
  const groups = pairs(before.groups.map(unfolded), after.groups.map(unfolded), (group) => group.id);
  const notes = pairs(before.notes, after.notes, (note) => note.id);
  const drawn = [
    ...groups.map((one) => ({
      mark: one.mark,
      text: `group ${(one.after ?? one.before)?.title || one.key}`,
    })),
    ...notes.map((one) => ({
      mark: one.mark,
      text: `note “${(one.after ?? one.before)?.text.slice(0, 60)}”`,
    })),
  ];
  const marks = new Map<string, Mark>([
    ...nodes.map((one): [string, Mark] => [one.id, one.mark]),
    ...wires.map((one): [string, Mark] => [one.key, one.mark]),
    ...groups.map((one): [string, Mark] => [one.key, one.mark]),
    ...notes.map((one): [string, Mark] => [one.key, one.mark]),
  ]);
  return {
    union: unionOf(before, after),
    marks,
    nodes,
    wires: wires.map(({ key, mark }) => ({ id: key, mark })),
    programs: programs.map((one) => ({
      name: one.key,
      mark: one.mark,
      before: one.before?.source ?? '',
      after: one.after?.source ?? '',
    })),
    drawn,
    same: marks.size === 0 && programs.length === 0,
  };
}

/** What came and what changed in the order of `after`, then what went. */
function pairs<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): Pair<T>[] {
  const old = new Map(before.map((item) => [key(item), item]));
  const now = new Set(after.map(key));
  const found = after.flatMap((item): Pair<T>[] => {
    const was = old.get(key(item));
    if (was !== undefined && canonicalJson(was) === canonicalJson(item)) return [];
    const mark = was === undefined ? 'added' : 'changed';
    return [{ key: key(item), mark, before: was, after: item }];
  });
  const gone = before
    .filter((item) => !now.has(key(item)))
    .map((item): Pair<T> => ({ key: key(item), mark: 'removed', before: item, after: undefined }));
  return [...found, ...gone];
}

function nodeDifference({ key, mark, before, after }: Pair<DocNode>): NodeDifference {
  const node = (after ?? before) as DocNode;
  return { id: key, mark, node, params: before && after ? paramDifferences(before, after) : [] };
}

function paramDifferences(before: DocNode, after: DocNode): ParamDifference[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .filter((name) => old[name] !== now[name])
    .map((name) => ({ name, before: old[name], after: now[name] }));
}

/** Settings, and the two things about a layer that are none. */
function fieldsOf(node: DocNode): Readonly<Record<string, Scalar>> {
  return { ...node.params, 'layer type': node.type, ...(node.title ? { title: node.title } : {}) };
}

function unionOf(before: ModelDoc, after: ModelDoc): ModelDoc {
  const missing = <T>(old: readonly T[], now: readonly T[], key: (item: T) => string) => {
    const known = new Set(now.map(key));
    return old.filter((item) => !known.has(key(item)));
  };
  return {
    ...after,
    nodes: [...after.nodes, ...missing(before.nodes, after.nodes, (node) => node.id)],
    wires: [...after.wires, ...missing(before.wires, after.wires, wireId)],
    programs: [...after.programs, ...missing(before.programs, after.programs, (program) => program.name)],
    // Folded, a group would hide what differs inside it.
    groups: [...after.groups, ...missing(before.groups, after.groups, (group) => group.id)].map(unfolded),
    notes: [...after.notes, ...missing(before.notes, after.notes, (note) => note.id)],
    layout: placesOf(before, after),
  };
}

function unfolded<T extends { readonly collapsed: boolean }>(group: T): T {
  return { ...group, collapsed: false };
}

/** Places of the later document. What is gone stands where it stood, moved down where something is there now. */
function placesOf(before: ModelDoc, after: ModelDoc): Record<string, Position> {
  const places: Record<string, Position> = { ...after.layout };
  const taken = new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`));
  for (const [id, at] of Object.entries(before.layout)) {
    if (places[id]) continue;
    let y = at.y;
    while (taken.has(`${at.x} ${y}`)) y += STEP_DOWN;
    taken.add(`${at.x} ${y}`);
    places[id] = { x: at.x, y };
  }
  return places;
}

const STEP_DOWN = 128;
