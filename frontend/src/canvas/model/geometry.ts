/**
 * How large a node is drawn and which nodes snap under one another. Sizes are computed, not measured, so the first paint,
 * the layout worker, lanes and thumbnails agree.
 */
import { type Catalog, type LayerInfo, portsOf, readsNeighbours } from './catalog';
import { type DocNode, findNode, type ModelDoc, type Position, wiresInto } from './document';
import type { LayoutRequest } from './layout';

export const NODE_WIDTH = 176;
/** Between columns: as wide as a wire's label, no wider, since every column's gap makes the whole smaller. */
export const COLUMN_GAP = 72;
export const HEAD = 36;
export const ROW = 24;
export const FOOT = 28;
export const STACK_GAP = 12;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** One value in, one of the same kind and size out, no neighbours read: drawn as a single row, snapped under what feeds it. */
export function isUnary(layer: LayerInfo | undefined): boolean {
  const [input, ...moreIn] = layer?.inputs ?? [];
  const [output, ...moreOut] = layer?.outputs ?? [];
  if (!layer || !input || !output || moreIn.length > 0 || moreOut.length > 0) return false;
  const resizes = Object.values(layer.params).some((schema) => Boolean(schema['x-dim']));
  return !input.many && input.kind === output.kind && !resizes && !readsNeighbours(layer);
}

export function nodeSize(catalog: Catalog, doc: ModelDoc, node: DocNode): Size {
  const layer = catalog.byType.get(node.type);
  if (isUnary(layer)) return { width: NODE_WIDTH, height: HEAD };
  const { inputs, outputs } = portsOf(catalog, doc, node);
  const rows = Math.max(1, inputs.length, outputs.length);
  const foot = layer && Object.keys(layer.params).length > 0 ? FOOT : 8;
  return { width: NODE_WIDTH, height: HEAD + ROW * rows + foot };
}

/** Where a port's middle is, measured from the node's top; null is the head's own row. */
export function portTop(row: number | null): number {
  return row === null ? HEAD / 2 : HEAD + ROW * row + ROW / 2;
}

/** For every node that snaps, the node above it: its only source, whose value nobody else takes. */
export function stacks(catalog: Catalog, doc: ModelDoc): Map<string, string> {
  const uses = new Map<string, number>();
  for (const wire of doc.wires) uses.set(wire.source.node, (uses.get(wire.source.node) ?? 0) + 1);
  const above = new Map<string, string>();
  for (const node of doc.nodes) {
    const layer = catalog.byType.get(node.type);
    const input = layer?.inputs[0];
    if (!input || !isUnary(layer)) continue;
    const [wire, ...more] = wiresInto(doc, { node: node.id, port: input.name });
    if (wire && more.length === 0 && uses.get(wire.source.node) === 1) above.set(node.id, wire.source.node);
  }
  return above;
}

export function layoutRequest(catalog: Catalog, doc: ModelDoc): LayoutRequest {
  const above = stacks(catalog, doc);
  const nodes = doc.nodes.map((node) => ({
    id: node.id,
    above: above.get(node.id) ?? null,
    ...nodeSize(catalog, doc, node),
  }));
  const known = new Set(doc.nodes.map((node) => node.id));
  const links = doc.wires
    .map((wire) => [wire.source.node, wire.target.node] as const)
    .filter(([from, to]) => known.has(from) && known.has(to));
  return { nodes, links };
}

/** Is the target drawn right under the source, so that a short spine joins them? */
export function isSnapped(catalog: Catalog, doc: ModelDoc, source: string, target: string): boolean {
  const [from, to] = [findNode(doc, source), findNode(doc, target)];
  const [a, b] = [doc.layout[source], doc.layout[target]];
  if (!from || !to || !a || !b || !isUnary(catalog.byType.get(to.type))) return false;
  const gap = b.y - (a.y + nodeSize(catalog, doc, from).height);
  return Math.abs(a.x - b.x) <= 12 && gap >= 0 && gap <= 3 * STACK_GAP;
}

/** A free place right of `from`, or of everything: new nodes never land on old ones. */
export function freePlace(catalog: Catalog, doc: ModelDoc, wanted: Position, size: Size): Position {
  const boxes = doc.nodes.map((node) => ({
    at: doc.layout[node.id] ?? { x: 0, y: 0 },
    ...nodeSize(catalog, doc, node),
  }));
  const place = { ...wanted };
  const overlapping = () =>
    boxes.find(
      (box) =>
        place.x < box.at.x + box.width + 16 &&
        box.at.x < place.x + size.width + 16 &&
        place.y < box.at.y + box.height + 8 &&
        box.at.y < place.y + size.height + 8,
    );
  for (let box = overlapping(); box; box = overlapping()) place.y = box.at.y + box.height + STACK_GAP;
  return place;
}
