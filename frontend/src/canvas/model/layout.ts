/** Positions for every node, left to right, by dagre. Pure: same graph, same picture. Runs in `layout.worker.ts`. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Position } from './document';

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface LayoutRequest {
  readonly nodes: readonly LayoutNode[];
  readonly links: readonly (readonly [string, string])[];
}

/** Top-left corners on the 8 px grid, the whole starting at (0, 0). */
export function layoutGraph(request: LayoutRequest): Map<string, Position> {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: 32, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of request.nodes) graph.setNode(node.id, { width: node.width, height: node.height });
  for (const [from, to] of request.links) graph.setEdge(from, to);
  layout(graph);
  const corners = request.nodes.map(({ id, width, height }) => {
    const { x, y } = graph.node(id);
    return { id, x: (x ?? 0) - width / 2, y: (y ?? 0) - height / 2 };
  });
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return new Map(corners.map(({ id, x, y }) => [id, { x: snap(x - left), y: snap(y - top) }]));
}

function snap(value: number): number {
  return Math.round(value / 8) * 8;
}
