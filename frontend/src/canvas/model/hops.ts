/**
 * Lanes of the canvas: how far a value has travelled over the graph.
 *
 * 1. A node's hop is the largest hop that feeds it, plus one where it reads its neighbours.
 * 2. A lane covers the horizontal span of one hop; where two hops overlap on the canvas they share a lane.
 */
import { type Catalog, readsNeighbours } from './catalog';
import type { ModelDoc } from './document';

export interface Box {
  readonly x: number;
  readonly width: number;
}

export interface Lane {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export function hopsOf(doc: ModelDoc, reads: (type: string) => boolean): Map<string, number> {
  const incoming = new Map<string, string[]>(doc.nodes.map((node) => [node.id, []]));
  for (const wire of doc.wires) incoming.get(wire.target.node)?.push(wire.source.node);
  const types = new Map(doc.nodes.map((node) => [node.id, node.type]));
  const hops = new Map<string, number>();
  const visiting = new Set<string>();
  const visit = (id: string): number => {
    const known = hops.get(id);
    if (known !== undefined) return known;
    if (visiting.has(id)) return 0;
    visiting.add(id);
    const before = Math.max(0, ...(incoming.get(id) ?? []).map(visit));
    const hop = before + (reads(types.get(id) ?? '') ? 1 : 0);
    hops.set(id, hop);
    return hop;
  };
  for (const node of doc.nodes) visit(node.id);
  return hops;
}

export function neighbourReaders(catalog: Catalog): (type: string) => boolean {
  return (type) => readsNeighbours(catalog.byType.get(type));
}

export function lanesOf(hops: ReadonlyMap<string, number>, boxes: ReadonlyMap<string, Box>): Lane[] {
  const spans = new Map<number, { from: number; to: number }>();
  for (const [id, hop] of hops) {
    const box = boxes.get(id);
    if (!box) continue;
    const span = spans.get(hop) ?? { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
    spans.set(hop, { from: Math.min(span.from, box.x), to: Math.max(span.to, box.x + box.width) });
  }
  return merge([...spans].sort(([a], [b]) => a - b));
}

function merge(spans: readonly (readonly [number, { from: number; to: number }])[]): Lane[] {
  const lanes: { from: number; to: number; first: number; last: number }[] = [];
  for (const [hop, span] of spans) {
    const last = lanes.at(-1);
    if (last && span.from < last.to) {
      last.to = Math.max(last.to, span.to);
      last.from = Math.min(last.from, span.from);
      last.last = hop;
    } else lanes.push({ ...span, first: hop, last: hop });
  }
  return lanes.map((lane, i) => {
    const before = lanes[i - 1];
    const after = lanes[i + 1];
    return {
      from: before ? (before.to + lane.from) / 2 : lane.from,
      to: after ? (lane.to + after.from) / 2 : lane.to,
      label: label(lane.first, lane.last),
    };
  });
}

function label(first: number, last: number): string {
  if (first === last) return first === 0 ? 'Own features' : `Hop ${first}`;
  return first === 0 ? `Up to hop ${last}` : `Hops ${first}–${last}`;
}
