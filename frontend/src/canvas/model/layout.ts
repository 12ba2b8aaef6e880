/**
 * Positions for every node, left to right. Pure: same graph, same picture. Runs in `layout.worker.ts`.
 *
 * 1. Nodes that snap under another one form a stack of one box.
 * 2. dagre places the boxes.
 * 3. Each stack is taken apart again, top to bottom.
 */
import { Graph, layout } from '@dagrejs/dagre';
import type { Position } from './document';
import { COLUMN_GAP, STACK_GAP } from './geometry';

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The node this one snaps under. */
  readonly above: string | null;
}

export interface LayoutRequest {
  readonly nodes: readonly LayoutNode[];
  readonly links: readonly (readonly [string, string])[];
}

/** Top-left corners on the 8 px grid, the whole starting at (0, 0). */
export function layoutGraph(request: LayoutRequest): Map<string, Position> {
  const stacks = gather(request.nodes);
  const stackOf = new Map(
    [...stacks].flatMap(([head, members]) => members.map((node) => [node.id, head] as const)),
  );
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: COLUMN_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [head, members] of stacks)
    graph.setNode(head, { width: widest(members), height: tall(members) });
  for (const [from, to] of request.links) {
    const [a, b] = [stackOf.get(from), stackOf.get(to)];
    if (a !== undefined && b !== undefined && a !== b) graph.setEdge(a, b);
  }
  layout(graph);
  const corners = [...stacks].flatMap(([head, members]) => unstack(members, topLeft(graph.node(head))));
  return toOrigin(corners);
}

interface Corner extends Position {
  readonly id: string;
}

function gather(nodes: readonly LayoutNode[]): Map<string, LayoutNode[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = new Map(nodes.flatMap((node) => (node.above !== null ? [[node.above, node] as const] : [])));
  const stacks = new Map<string, LayoutNode[]>();
  const placed = new Set<string>();
  const collect = (head: LayoutNode) => {
    const members: LayoutNode[] = [];
    for (let node: LayoutNode | undefined = head; node && !placed.has(node.id); node = below.get(node.id)) {
      placed.add(node.id);
      members.push(node);
    }
    if (members.length > 0) stacks.set(head.id, members);
  };
  nodes.filter((node) => node.above === null || !byId.has(node.above)).forEach(collect);
  nodes.filter((node) => !placed.has(node.id)).forEach(collect);
  return stacks;
}

function widest(members: readonly LayoutNode[]): number {
  return Math.max(...members.map((node) => node.width));
}

function tall(members: readonly LayoutNode[]): number {
  return members.reduce((sum, node) => sum + node.height, (members.length - 1) * STACK_GAP);
}

function topLeft(box: { x?: number; y?: number; width?: number; height?: number }): Position {
  return { x: (box.x ?? 0) - (box.width ?? 0) / 2, y: (box.y ?? 0) - (box.height ?? 0) / 2 };
}

function unstack(members: readonly LayoutNode[], at: Position): Corner[] {
  let y = at.y;
  return members.map((node) => {
    const corner = { id: node.id, x: at.x, y };
    y += node.height + STACK_GAP;
    return corner;
  });
}

function toOrigin(corners: readonly Corner[]): Map<string, Position> {
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return new Map(corners.map(({ id, x, y }) => [id, { x: snap(x - left), y: snap(y - top) }]));
}

function snap(value: number): number {
  return Math.round(value / 4) * 4;
}
