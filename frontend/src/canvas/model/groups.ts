/**
 * Groups: which thing is in which box, what a folded box hides, and the commands that change boxes.
 *
 * A document may say nonsense (a thing in two groups, a group in itself); the first group that names a thing has it, and
 * circles are cut, so that every document can be drawn.
 */
import type { Group, ModelDoc } from './document';
import type { Command } from './history';
import { freshId, idsOf } from './ids';
import type { Operation } from './operations';

export interface GroupTree {
  readonly byId: ReadonlyMap<string, Group>;
  /** The group a node, note or group is in. */
  readonly parent: ReadonlyMap<string, string>;
  /** Of what is not seen: the outermost folded group it is in. */
  readonly hiddenBy: ReadonlyMap<string, string>;
}

// Lists never change, so a tree stays true as long as its list is the document's.
const trees = new WeakMap<readonly Group[], GroupTree>();

export function groupTree(doc: ModelDoc): GroupTree {
  const known = trees.get(doc.groups);
  if (known) return known;
  const byId = new Map(doc.groups.map((group) => [group.id, group]));
  const parent = parentsOf(doc.groups, byId);
  const hiddenBy = new Map<string, string>();
  for (const id of parent.keys()) {
    const folded = ancestors(parent, id).filter((one) => byId.get(one)?.collapsed);
    const outermost = folded.at(-1);
    if (outermost !== undefined) hiddenBy.set(id, outermost);
  }
  const tree = { byId, parent, hiddenBy };
  trees.set(doc.groups, tree);
  return tree;
}

function parentsOf(groups: readonly Group[], byId: ReadonlyMap<string, Group>): Map<string, string> {
  const parent = new Map<string, string>();
  for (const group of groups) {
    for (const member of group.members) {
      const closesCircle =
        byId.has(member) && (member === group.id || ancestors(parent, group.id).includes(member));
      if (!parent.has(member) && !closesCircle) parent.set(member, group.id);
    }
  }
  return parent;
}

/** Groups around a thing, the innermost first. */
export function ancestors(parent: ReadonlyMap<string, string>, id: string): string[] {
  const around: string[] = [];
  for (let at = parent.get(id); at !== undefined; at = parent.get(at)) around.push(at);
  return around;
}

/** What a group holds itself: its members as the tree has them. */
export function membersOf(doc: ModelDoc, id: string): string[] {
  const { byId, parent } = groupTree(doc);
  return [...new Set(byId.get(id)?.members)].filter((member) => parent.get(member) === id);
}

/** The things named, and all that is inside those that are groups. */
export function itemsWithin(doc: ModelDoc, ids: Iterable<string>): string[] {
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...membersOf(doc, id));
  }
  return [...found];
}

/** Operations that take things out of the groups around them; a group that nothing is left in is removed. */
export function leaveGroups(doc: ModelDoc, leaving: ReadonlySet<string>): Operation[] {
  const operations: Operation[] = [];
  const emptied = new Set(leaving);
  const staying = doc.groups.filter((group) => !leaving.has(group.id));
  for (let settled = false; !settled; ) {
    settled = true;
    for (const group of staying) {
      if (emptied.has(group.id) || !group.members.some((id) => emptied.has(id))) continue;
      if (group.members.some((id) => !emptied.has(id))) continue;
      emptied.add(group.id);
      operations.push({ op: 'remove_group', id: group.id });
      settled = false;
    }
  }
  for (const group of staying) {
    if (emptied.has(group.id) || !group.members.some((id) => emptied.has(id))) continue;
    const members = group.members.filter((id) => !emptied.has(id));
    operations.push({ op: 'set_group', group: { ...group, members } });
  }
  return operations;
}

/** Draws a box around things. Where all of them are in one group, the box is inside it. */
export function groupItems(
  doc: ModelDoc,
  ids: ReadonlySet<string>,
  title = 'Group',
): { command: Command; id: string } {
  const { parent } = groupTree(doc);
  const id = freshId('group', new Set(idsOf(doc)));
  // What is in a chosen group comes along with it.
  const members = [...ids].filter((one) => !ancestors(parent, one).some((around) => ids.has(around)));
  const around = commonGroup(doc, members);
  const moved = new Set(members);
  const group: Group = { id, title, members, collapsed: false };
  const operations: Operation[] = [];
  for (const old of doc.groups) {
    const kept = old.members.filter((one) => !moved.has(one));
    if (old.id === around) operations.push({ op: 'set_group', group: { ...old, members: [...kept, id] } });
    else if (kept.length < old.members.length && kept.length > 0)
      operations.push({ op: 'set_group', group: { ...old, members: kept } });
    else if (kept.length < old.members.length) operations.push({ op: 'remove_group', id: old.id });
  }
  const index = doc.groups.length - operations.filter((one) => one.op === 'remove_group').length;
  operations.push({ op: 'insert_group', group, index });
  return { command: { name: `Group ${members.length} items`, operations }, id };
}

/** The innermost group that all things are in. */
export function commonGroup(doc: ModelDoc, ids: readonly string[]): string | undefined {
  const { parent } = groupTree(doc);
  const [first, ...others] = ids.map((id) => ancestors(parent, id));
  return first?.find((group) => others.every((around) => around.includes(group)));
}

/** Takes the box away; what was in it is in the group around it, if there is one. */
export function ungroup(doc: ModelDoc, id: string): Command {
  const { byId, parent } = groupTree(doc);
  const group = byId.get(id);
  if (!group) return { name: '', operations: [] };
  const around = byId.get(parent.get(id) ?? '');
  const operations: Operation[] = [{ op: 'remove_group', id }];
  if (around) {
    const members = around.members.flatMap((one) => (one === id ? group.members : [one]));
    operations.push({ op: 'set_group', group: { ...around, members } });
  }
  return { name: `Ungroup ${group.title || id}`, operations };
}

export function setGroup(
  doc: ModelDoc,
  id: string,
  change: Partial<Omit<Group, 'id'>>,
  name: string,
): Command {
  const group = groupTree(doc).byId.get(id);
  return { name, operations: group ? [{ op: 'set_group', group: { ...group, ...change } }] : [] };
}

export function fold(doc: ModelDoc, id: string, collapsed: boolean): Command {
  const title = groupTree(doc).byId.get(id)?.title || id;
  return setGroup(doc, id, { collapsed }, `${collapsed ? 'Collapse' : 'Expand'} ${title}`);
}

/** Operations that put new things into a group. */
export function joinGroup(doc: ModelDoc, group: string | undefined, ids: readonly string[]): Operation[] {
  const found = group === undefined ? undefined : groupTree(doc).byId.get(group);
  return found ? [{ op: 'set_group', group: { ...found, members: [...found.members, ...ids] } }] : [];
}
