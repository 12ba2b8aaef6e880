/**
 * Where the vertices of a sampled neighbourhood are drawn. Pure and deterministic.
 *
 * 1. The chosen vertex is in the middle, hop k on the k-th ring.
 * 2. Every vertex hangs under one neighbour of the hop before (the first that reaches it); each gets a share of its
 *    parent's sector as large as its own branch.
 * 3. A few rounds of repulsion along the ring pull close neighbours apart.
 */
import type { Neighbourhood } from './api';

export interface Place {
  readonly x: number;
  readonly y: number;
}

const ROUNDS = 40;

/** Places in a square of side 2 around (0, 0). */
export function placeVertices(drawing: Neighbourhood): Map<number, Place> {
  const hops = new Map(drawing.vertices.map((vertex) => [vertex.id, vertex.hop]));
  const last = Math.max(1, ...hops.values());
  const children = tree(drawing, hops);
  const angles = new Map<number, number>();
  const leaves = leafCounts(drawing.vertex, children);
  share(drawing.vertex, 0, 2 * Math.PI, children, leaves, angles);
  spread(drawing, hops, angles);
  return new Map(
    drawing.vertices.map(({ id, hop }) => {
      const radius = (0.94 * hop) / last;
      const angle = angles.get(id) ?? 0;
      return [id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }];
    }),
  );
}

function tree(drawing: Neighbourhood, hops: ReadonlyMap<number, number>): Map<number, number[]> {
  const parent = new Map<number, number>();
  const join = (child: number, above: number) => {
    if (child !== drawing.vertex && hops.get(child) === (hops.get(above) ?? 0) + 1 && !parent.has(child))
      parent.set(child, above);
  };
  for (const { source, target } of drawing.edges) {
    join(source, target);
    join(target, source);
  }
  const children = new Map<number, number[]>();
  for (const { id } of drawing.vertices) {
    if (id === drawing.vertex) continue;
    const above = parent.get(id) ?? drawing.vertex;
    const list = children.get(above);
    if (list) list.push(id);
    else children.set(above, [id]);
  }
  return children;
}

function leafCounts(root: number, children: ReadonlyMap<number, readonly number[]>): Map<number, number> {
  const counts = new Map<number, number>();
  const count = (id: number): number => {
    const below = (children.get(id) ?? []).reduce((sum, child) => sum + count(child), 0);
    const own = Math.max(1, below);
    counts.set(id, own);
    return own;
  };
  count(root);
  return counts;
}

function share(
  id: number,
  from: number,
  to: number,
  children: ReadonlyMap<number, readonly number[]>,
  leaves: ReadonlyMap<number, number>,
  angles: Map<number, number>,
): void {
  angles.set(id, (from + to) / 2);
  const below = children.get(id) ?? [];
  const total = below.reduce((sum, child) => sum + (leaves.get(child) ?? 1), 0);
  let at = from;
  for (const child of below) {
    const next = at + ((to - from) * (leaves.get(child) ?? 1)) / total;
    share(child, at, next, children, leaves, angles);
    at = next;
  }
}

function spread(
  drawing: Neighbourhood,
  hops: ReadonlyMap<number, number>,
  angles: Map<number, number>,
): void {
  const rings = new Map<number, number[]>();
  for (const { id } of drawing.vertices) {
    const hop = hops.get(id) ?? 0;
    if (hop > 0) rings.set(hop, [...(rings.get(hop) ?? []), id]);
  }
  for (const ring of rings.values()) {
    ring.sort((a, b) => (angles.get(a) ?? 0) - (angles.get(b) ?? 0));
    const gap = Math.min(0.35, (1.6 * Math.PI) / ring.length);
    for (let round = 0; round < ROUNDS; round++) pushApart(ring, gap, angles);
  }
}

function pushApart(ring: readonly number[], gap: number, angles: Map<number, number>): void {
  ring.forEach((id, i) => {
    const next = ring[(i + 1) % ring.length];
    if (next === undefined || next === id) return;
    const [a, b] = [angles.get(id) ?? 0, angles.get(next) ?? 0];
    const between = i + 1 < ring.length ? b - a : b + 2 * Math.PI - a;
    if (between >= gap) return;
    const push = (gap - between) / 4;
    angles.set(id, a - push);
    angles.set(next, b + push);
  });
}
