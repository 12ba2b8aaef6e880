/**
 * Where groups and notes are drawn. A group has no place of its own: its frame is drawn around what is in it, and folded it
 * stands at the frame's corner, so moving a group is moving what is in it.
 */
import type { Catalog } from './catalog';
import { type Endpoint, findNode, type ModelDoc, type Position, portKey } from './document';
import { HEAD, NODE_WIDTH, nodeSize, ROW, type Size } from './geometry';
import { groupTree, itemsWithin, membersOf } from './groups';

export interface Box extends Position, Size {}

/** Room between a frame and what is in it; the title is above. */
export const PADDING = 16;
export const TITLE = 32;

/** Boxes of all groups and notes that are seen; a group that holds nothing has none. */
export function drawnBoxes(catalog: Catalog, doc: ModelDoc): Map<string, Box> {
  const boxes = new Map<string, Box>();
  if (doc.groups.length === 0 && doc.notes.length === 0) return boxes;
  const { hiddenBy } = groupTree(doc);
  for (const { id } of [...doc.groups, ...doc.notes]) {
    const box = hiddenBy.has(id) ? null : boxOf(catalog, doc, id);
    if (box) boxes.set(id, box);
  }
  return boxes;
}

/** The box of a node, a note or a group; null for what is not there or holds nothing. */
export function boxOf(catalog: Catalog, doc: ModelDoc, id: string): Box | null {
  const at = doc.layout[id] ?? { x: 0, y: 0 };
  const node = findNode(doc, id);
  if (node) return { ...at, ...nodeSize(catalog, doc, node) };
  const note = doc.notes.find((one) => one.id === id);
  if (note) return { ...at, width: note.width, height: note.height };
  const group = groupTree(doc).byId.get(id);
  const frame = group && frameOf(catalog, doc, id);
  if (!group || !frame) return null;
  return group.collapsed ? { x: frame.x, y: frame.y, ...foldedSize(doc, id) } : frame;
}

function frameOf(catalog: Catalog, doc: ModelDoc, id: string): Box | null {
  const boxes = membersOf(doc, id).flatMap((member) => boxOf(catalog, doc, member) ?? []);
  const around = hull(boxes);
  return (
    around && {
      x: around.x - PADDING,
      y: around.y - PADDING - TITLE,
      width: around.width + 2 * PADDING,
      height: around.height + 2 * PADDING + TITLE,
    }
  );
}

/** The smallest box around boxes. */
export function hull(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

export interface Crossings {
  readonly inputs: readonly Endpoint[];
  readonly outputs: readonly Endpoint[];
}

/** The ports of a folded group: ends inside it of the wires that cross its border. */
export function crossings(doc: ModelDoc, id: string): Crossings {
  const inside = new Set(itemsWithin(doc, [id]));
  const inputs = new Map<string, Endpoint>();
  const outputs = new Map<string, Endpoint>();
  for (const { source, target } of doc.wires) {
    const [from, to] = [inside.has(source.node), inside.has(target.node)];
    if (from && !to) outputs.set(portKey(source), source);
    if (to && !from) inputs.set(portKey(target), target);
  }
  return { inputs: [...inputs.values()], outputs: [...outputs.values()] };
}

export function foldedSize(doc: ModelDoc, id: string): Size {
  const { inputs, outputs } = crossings(doc, id);
  return { width: NODE_WIDTH, height: HEAD + ROW * Math.max(1, inputs.length, outputs.length) + 28 };
}

/** New places of things moved by (x, y); a group moves all that is in it. `apart` move on their own. */
export function shifted(
  doc: ModelDoc,
  id: string,
  by: Position,
  apart: ReadonlySet<string> = new Set(),
): [string, Position][] {
  return itemsWithin(doc, [id])
    .filter((one) => !groupTree(doc).byId.has(one) && (one === id || !apart.has(one)))
    .map((one) => {
      const at = doc.layout[one] ?? { x: 0, y: 0 };
      return [one, { x: at.x + by.x, y: at.y + by.y }];
    });
}
