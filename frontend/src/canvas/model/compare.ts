/** What changed between two documents, in lines a person reads. Positions do not count, nor folding a group. */
import { canonicalJson, type Group, type ModelDoc, wireId } from './document';

export interface Change {
  readonly sign: '+' | '-' | '~';
  readonly text: string;
}

export function compareDocs(from: ModelDoc, to: ModelDoc): Change[] {
  return [
    ...compareLists(
      from.nodes,
      to.nodes,
      (node) => node.id,
      (node) => `${node.type} ${node.id}`,
    ),
    ...compareLists(from.wires, to.wires, wireId, (wire) => `wire ${wireId(wire).replace('>', ' → ')}`),
    ...compareLists(
      from.programs,
      to.programs,
      (program) => program.name,
      (program) => `program ${program.name}`,
    ),
    ...compareLists(
      from.groups.map(unfolded),
      to.groups.map(unfolded),
      (group) => group.id,
      (group) => `group ${group.title || group.id}`,
    ),
    ...compareLists(
      from.notes,
      to.notes,
      (note) => note.id,
      (note) => `note “${note.text.slice(0, 40)}”`,
    ),
  ];
}

function unfolded(group: Group): Group {
  return { ...group, collapsed: false };
}

function compareLists<T>(
  from: readonly T[],
  to: readonly T[],
  key: (item: T) => string,
  say: (item: T) => string,
): Change[] {
  const before = new Map(from.map((item) => [key(item), item]));
  const after = new Map(to.map((item) => [key(item), item]));
  const added = to
    .filter((item) => !before.has(key(item)))
    .map((item): Change => ({ sign: '+', text: say(item) }));
  const removed = from
    .filter((item) => !after.has(key(item)))
    .map((item): Change => ({ sign: '-', text: say(item) }));
  const changed = to.flatMap((item): Change[] => {
    const old = before.get(key(item));
    return old && canonicalJson(old) !== canonicalJson(item) ? [{ sign: '~', text: say(item) }] : [];
  });
  return [...added, ...removed, ...changed];
}
