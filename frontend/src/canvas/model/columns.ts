/**
 * A quick placement without dagre, for thumbnails and for models that say no positions.
 *
 * 1. A stack is a node with all that snap under it.
 * 2. A stack's column is one more than the last column that feeds it (loops are cut where they are met).
 * 3. Stacks of one column stand under one another in the order of the document.
 */
import type { Catalog } from './catalog';
import type { DocNode, ModelDoc, Position } from './document';
import { COLUMN_GAP, NODE_WIDTH, nodeSize, STACK_GAP, stacks } from './geometry';

export type Stack = readonly DocNode[];

/** Stacks by column, left to right, each top to bottom. */
export function columnsOf(catalog: Catalog, doc: ModelDoc): Stack[][] {
  const above = stacks(catalog, doc);
  const headOf = (id: string): string => {
    const seen = new Set([id]);
    let head = id;
    for (let next = above.get(head); next !== undefined && !seen.has(next); next = above.get(head)) {
      seen.add(next);
      head = next;
    }
    return head;
  };
  const members = new Map<string, DocNode[]>();
  for (const node of ordered(doc, above)) push(members, headOf(node.id), node);
  const before = new Map<string, string[]>();
  for (const wire of doc.wires) {
    const [from, to] = [headOf(wire.source.node), headOf(wire.target.node)];
    if (from !== to && members.has(from) && members.has(to)) push(before, to, from);
  }
  const columns: Stack[][] = [];
  const depth = longestPaths([...members.keys()], before);
  for (const [head, stack] of members) {
    const column = depth.get(head) ?? 0;
    while (columns.length <= column) columns.push([]);
    columns[column]?.push(stack);
  }
  return columns;
}

/** Positions for every node from its column. */
export function placeInColumns(catalog: Catalog, doc: ModelDoc): Record<string, Position> {
  const layout: Record<string, Position> = {};
  columnsOf(catalog, doc).forEach((column, i) => {
    let y = 0;
    for (const stack of column) {
      for (const node of stack) {
        layout[node.id] = { x: i * (NODE_WIDTH + COLUMN_GAP), y };
        y += nodeSize(catalog, doc, node).height + STACK_GAP;
      }
      y += 28;
    }
  });
  return layout;
}

/** Nodes such that what snaps comes after what it snaps under. */
function ordered(doc: ModelDoc, above: ReadonlyMap<string, string>): DocNode[] {
  const depth = (node: DocNode) => {
    let steps = 0;
    for (let up = above.get(node.id); up !== undefined && steps <= doc.nodes.length; up = above.get(up))
      steps += 1;
    return steps;
  };
  return doc.nodes
    .map((node) => ({ node, depth: depth(node) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ node }) => node);
}

function longestPaths(
  ids: readonly string[],
  before: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const depth = new Map<string, number>();
  const open = new Set<string>();
  const visit = (id: string): number => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    if (open.has(id)) return -1;
    open.add(id);
    const deepest = Math.max(-1, ...(before.get(id) ?? []).map(visit));
    depth.set(id, deepest + 1);
    return deepest + 1;
  };
  for (const id of ids) visit(id);
  return depth;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
