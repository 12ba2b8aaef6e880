/**
 * Where types and relations are drawn. Pure.
 *
 * 1. The largest types stand on a circle, the labelled one first; the rest are only listed.
 * 2. All relations from one type to another are one arc, however many they are; those that hold others backwards say
 *    nothing new and are left out.
 */
import type { GraphSchema } from './api';

export const MOST_TYPES = 24;
/** On a narrow page. */
export const FEW_TYPES = 8;

export interface Spot {
  readonly type: number;
  readonly x: number;
  readonly y: number;
}

export interface Arc {
  readonly source: number;
  readonly target: number;
  readonly relations: readonly number[];
  readonly edges: number;
}

export interface Layout {
  readonly spots: readonly Spot[];
  readonly arcs: readonly Arc[];
  readonly hidden: number;
}

/** Places in a square of side 2 around (0, 0). */
export function schemaLayout(schema: GraphSchema, most = MOST_TYPES): Layout {
  const number = new Map(schema.types.map((type, t) => [type.name, t]));
  const shown = largest(schema, most);
  const inside = new Set(shown);
  const spots = shown.map((type, k) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * k) / shown.length;
    const reach = shown.length === 1 ? 0 : 1;
    return { type, x: reach * Math.cos(angle), y: reach * Math.sin(angle) };
  });
  const arcs = new Map<string, { source: number; target: number; relations: number[]; edges: number }>();
  schema.relations.forEach((relation, r) => {
    const source = number.get(relation.source) ?? 0;
    const target = number.get(relation.target) ?? 0;
    if (relation.inverse_of !== null || !inside.has(source) || !inside.has(target)) return;
    const key = `${source} ${target}`;
    const arc = arcs.get(key) ?? { source, target, relations: [], edges: 0 };
    arc.relations.push(r);
    arc.edges += relation.edges;
    arcs.set(key, arc);
  });
  return { spots, arcs: [...arcs.values()], hidden: schema.types.length - shown.length };
}

function largest(schema: GraphSchema, most: number): number[] {
  const order = schema.types.map((_, t) => t);
  const weight = (t: number) =>
    schema.types[t]?.name === schema.target ? Number.POSITIVE_INFINITY : (schema.types[t]?.vertices ?? 0);
  return order.sort((a, b) => (weight(a) === weight(b) ? a - b : weight(b) - weight(a))).slice(0, most);
}

/** The arc as a path between two places, bent to the left of its way so that both ways can be told apart. */
export function arcPath(a: Spot, b: Spot, radius: number): string {
  if (a === b || a.type === b.type) {
    const r = radius + 10;
    return `M${a.x - 6} ${a.y - radius + 2}C${a.x - r * 1.6} ${a.y - r * 2.6} ${a.x + r * 1.6} ${a.y - r * 2.6} ${a.x + 6} ${a.y - radius + 2}`;
  }
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const far = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / far, dy / far];
  const bend = Math.min(40, far / 6);
  const [mx, my] = [(a.x + b.x) / 2 + uy * bend, (a.y + b.y) / 2 - ux * bend];
  const gap = radius + 5;
  return `M${a.x + ux * gap} ${a.y + uy * gap}Q${mx} ${my} ${b.x - ux * gap} ${b.y - uy * gap}`;
}

/** Where the arc's words stand. */
export function arcMiddle(a: Spot, b: Spot, radius: number): { x: number; y: number } {
  if (a.type === b.type) return { x: a.x, y: a.y - radius - 24 };
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const far = Math.hypot(dx, dy) || 1;
  const bend = Math.min(40, far / 6) / 2;
  return { x: (a.x + b.x) / 2 + (dy / far) * bend, y: (a.y + b.y) / 2 - (dx / far) * bend };
}
