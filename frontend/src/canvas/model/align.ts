/** Lining things up: nodes, notes and groups, each moved as a whole. One step. */
import { type Box, boxOf, hull, shifted } from './boxes';
import type { Catalog } from './catalog';
import type { ModelDoc, Position } from './document';
import { ancestors, groupTree } from './groups';
import type { Command } from './history';

export type Alignment = 'left' | 'top' | 'columns' | 'rows';

interface Placed {
  readonly id: string;
  readonly box: Box;
}

const WAYS: Readonly<
  Record<Alignment, { name: string; move: (items: readonly Placed[], all: Box) => Position[] }>
> = {
  left: { name: 'Align left', move: (items, all) => items.map(({ box }) => ({ x: all.x - box.x, y: 0 })) },
  top: { name: 'Align top', move: (items, all) => items.map(({ box }) => ({ x: 0, y: all.y - box.y })) },
  columns: {
    name: 'Space evenly across',
    move: (items, all) => gaps(items, all, 'x', 'width').map((x) => ({ x, y: 0 })),
  },
  rows: {
    name: 'Space evenly down',
    move: (items, all) => gaps(items, all, 'y', 'height').map((y) => ({ x: 0, y })),
  },
};

export function align(catalog: Catalog, doc: ModelDoc, ids: ReadonlySet<string>, how: Alignment): Command {
  const { parent } = groupTree(doc);
  const items = [...ids]
    .filter((id) => !ancestors(parent, id).some((around) => ids.has(around)))
    .flatMap((id) => {
      const box = boxOf(catalog, doc, id);
      return box ? [{ id, box }] : [];
    });
  const all = hull(items.map((item) => item.box));
  const way = WAYS[how];
  const moves = all ? way.move(items, all) : [];
  const places = items.flatMap(({ id }, i) => shifted(doc, id, moves[i] ?? { x: 0, y: 0 }));
  return {
    name: way.name,
    operations: places.map(([id, position]) => ({ op: 'set_position', id, position })),
  };
}

/** How far each item moves so that the space between neighbours is the same; the outer two stay. */
function gaps(items: readonly Placed[], all: Box, axis: 'x' | 'y', extent: 'width' | 'height'): number[] {
  const order = [...items].sort((a, b) => a.box[axis] - b.box[axis]);
  const taken = order.reduce((sum, item) => sum + item.box[extent], 0);
  const gap = (all[extent] - taken) / Math.max(1, order.length - 1);
  const targets = new Map<string, number>();
  let at = all[axis];
  for (const item of order) {
    targets.set(item.id, Math.round(at));
    at += item.box[extent] + gap;
  }
  return items.map(({ id, box }) => (targets.get(id) ?? box[axis]) - box[axis]);
}
