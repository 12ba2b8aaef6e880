/** Groups and notes of foreign text, field by field; what is left out is said. */
import { type Group, NOTE_SIZE, type Note } from './document';
import { ID } from './ids';

const MAX_TEXT = 4000;
const WIDTHS = [96, 1600] as const;
const HEIGHTS = [48, 1600] as const;

/** Groups and notes whose ids are free; members that are not in the text are left out of their group. */
export function readDrawn(
  source: Record<string, unknown>,
  nodeIds: ReadonlySet<string>,
  said: string[],
): { groups: Group[]; notes: Note[] } {
  const taken = new Set(nodeIds);
  const free = (id: unknown): id is string => typeof id === 'string' && ID.test(id) && !taken.has(id);
  const take = <T extends { readonly id: string }>(
    what: string,
    raw: unknown,
    read: (item: Record<string, unknown>, id: string) => T,
  ) =>
    (Array.isArray(raw) ? raw : []).flatMap((item: unknown, i): T[] => {
      if (isRecord(item) && free(item['id'])) {
        taken.add(item['id']);
        return [read(item, item['id'])];
      }
      said.push(`${what} ${i + 1} has no usable “id”; left out.`);
      return [];
    });
  const notes = take('Note', source['notes'], readNote);
  const groups = take('Group', source['groups'], readGroup);
  const there = (id: string) => taken.has(id);
  return { notes, groups: groups.map((group) => ({ ...group, members: group.members.filter(there) })) };
}

function readNote(item: Record<string, unknown>, id: string): Note {
  return {
    id,
    text: typeof item['text'] === 'string' ? item['text'].slice(0, MAX_TEXT) : '',
    width: size(item['width'], NOTE_SIZE.width, WIDTHS),
    height: size(item['height'], NOTE_SIZE.height, HEIGHTS),
  };
}

function readGroup(item: Record<string, unknown>, id: string): Group {
  const members = Array.isArray(item['members']) ? item['members'] : [];
  return {
    id,
    title: typeof item['title'] === 'string' ? item['title'].slice(0, 80) : '',
    members: members.filter((member): member is string => typeof member === 'string'),
    collapsed: item['collapsed'] === true,
  };
}

function size(value: unknown, usual: number, [least, most]: readonly [number, number]): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.round(value)))
    : usual;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
