/**
 * Layout of a model with groups and notes. Pure: same request, same picture. Runs in `layout.worker.ts`.
 *
 * 1. Groups are laid out from the inside out; each is then one box of its own size on the level around it.
 * 2. A wire from inside a box counts for the box.
 * 3. Notes come last on their level: as far from the thing they stood nearest to as before, and on free ground.
 */
import { type Box, hull, PADDING, TITLE } from './boxes';
import type { Position } from './document';
import { type LayoutNode, type LayoutRequest, layoutGraph } from './layout';

export interface LevelGroup {
  readonly id: string;
  /** The size of a folded group, and where what is in it stands, measured from its corner. */
  readonly folded: {
    readonly width: number;
    readonly height: number;
    readonly inside: readonly (readonly [string, Position])[];
  } | null;
}

export interface LevelNote {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly beside: string | null;
  readonly by: Position;
}

export interface LevelRequest extends LayoutRequest {
  readonly groups: readonly LevelGroup[];
  readonly notes: readonly LevelNote[];
  /** The group each thing is in. */
  readonly parents: readonly (readonly [string, string])[];
}

const NOTE_GAP = 16;

/** Top-left corners of nodes and notes. */
export function layoutLevels(request: LevelRequest): Map<string, Position> {
  const parents = new Map(request.parents);
  return new Map(levelOf(request, parents, null).places);
}

interface Level {
  readonly places: readonly (readonly [string, Position])[];
  readonly box: Box;
}

function levelOf(request: LevelRequest, parents: ReadonlyMap<string, string>, level: string | null): Level {
  const here = (item: { readonly id: string }) => (parents.get(item.id) ?? null) === level;
  const inner = new Map(
    request.groups.filter(here).map((group) => [group.id, insideOf(request, parents, group)]),
  );
  const boxes: LayoutNode[] = [
    ...request.nodes.filter(here),
    ...[...inner].map(([id, { box }]) => ({ id, above: null, width: box.width, height: box.height })),
  ];
  const links = request.links.map(
    ([a, b]) => [childOf(parents, level, a), childOf(parents, level, b)] as const,
  );
  const corners = boxes.length > 0 ? layoutGraph({ nodes: boxes, links }) : new Map<string, Position>();
  const placed = new Map(
    boxes.map((one) => [one.id, { ...one, ...(corners.get(one.id) ?? { x: 0, y: 0 }) }]),
  );
  const notes = placeNotes(request.notes.filter(here), placed);
  const places = [...placed.values(), ...notes].flatMap(({ id, x, y }) => {
    const found = inner.get(id);
    if (!found) return [[id, { x, y }] as const];
    const by = { x: x - found.box.x, y: y - found.box.y };
    return found.places.map(([one, at]) => [one, { x: at.x + by.x, y: at.y + by.y }] as const);
  });
  return { places, box: hull([...placed.values(), ...notes]) ?? { x: 0, y: 0, width: 0, height: 0 } };
}

/** What is in a group, and the box it takes on the level around it. */
function insideOf(request: LevelRequest, parents: ReadonlyMap<string, string>, group: LevelGroup): Level {
  if (group.folded) {
    const { width, height, inside } = group.folded;
    return { places: inside, box: { x: 0, y: 0, width, height } };
  }
  const { places, box } = levelOf(request, parents, group.id);
  return {
    places,
    box: {
      x: box.x - PADDING,
      y: box.y - PADDING - TITLE,
      width: box.width + 2 * PADDING,
      height: box.height + 2 * PADDING + TITLE,
    },
  };
}

/** The thing of a level that a node is, or is in. */
function childOf(parents: ReadonlyMap<string, string>, level: string | null, node: string): string {
  let at = node;
  for (let up = parents.get(at); up !== undefined && up !== level; up = parents.get(at)) at = up;
  return (parents.get(at) ?? null) === level ? at : '';
}

function placeNotes(notes: readonly LevelNote[], placed: ReadonlyMap<string, Box>): (Box & { id: string })[] {
  const taken: Box[] = [...placed.values()];
  return notes.map(({ id, width, height, beside, by }) => {
    const from = (beside === null ? undefined : placed.get(beside)) ?? { x: 0, y: 0 };
    const note = { id, x: Math.round(from.x + by.x), y: Math.round(from.y + by.y), width, height };
    for (
      let under = taken.find((box) => meet(box, note));
      under;
      under = taken.find((box) => meet(box, note))
    )
      note.y = under.y + under.height + NOTE_GAP;
    taken.push(note);
    return note;
  });
}

function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
