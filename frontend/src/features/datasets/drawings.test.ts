import { expect, it } from 'vitest';
import type { Degrees, Neighbourhood } from './api';
import { degreeChart } from './degree-bars';
import { placeVertices } from './place-vertices';

function degrees(bins: [number, number, number][], mean: number): Degrees {
  const known = { zero: 0, min: 1, median: mean, p95: mean, max: bins.at(-1)?.[1] ?? 1 };
  return { bins: bins.map(([low, high, vertices]) => ({ low, high, vertices })), mean, ...known };
}

it('bars touch on a logarithmic axis, one vertex is seen, empty bins are not drawn', () => {
  const chart = degreeChart(
    degrees(
      [
        [1, 1, 100],
        [2, 3, 0],
        [4, 7, 1],
      ],
      1.5,
    ),
    300,
    200,
  );
  expect(chart.bars.map((bar) => bar.low)).toEqual([1, 4]);
  expect(chart.bars[0]?.x).toBe(0);
  expect(chart.bars[1]?.x).toBeCloseTo(200, 5);
  expect(chart.bars[1]?.height).toBeGreaterThan(5);
  expect(chart.bars[0]?.height).toBeLessThanOrEqual(200);
  expect(chart.xTicks.map((tick) => tick.value)).toEqual([1, 2, 5]);
});

it('an axis far from 1 begins at a round number below the smallest degree', () => {
  const chart = degreeChart(
    degrees(
      [
        [8, 9, 5],
        [10, 20, 5],
      ],
      12,
    ),
    300,
    200,
  );
  expect(chart.xTicks.map((tick) => tick.value)).toEqual([5, 10, 20]);
  expect(chart.mean).toBeGreaterThan(0);
});

it('a graph without a single edge draws no bar and does not divide by zero', () => {
  const chart = degreeChart(degrees([], 0), 300, 200);
  expect(chart.bars).toEqual([]);
  expect(chart.mean).toBeNull();
  expect(chart.xTicks.every((tick) => Number.isFinite(tick.at))).toBe(true);
});

it('the chosen vertex is in the middle, hops on rings, nobody on top of another', () => {
  const vertices = Array.from({ length: 30 }, (_, id) => ({
    id,
    name: null,
    label: null,
    class_index: null,
    type_index: null,
    degree: 1,
    hop: id === 0 ? 0 : id < 6 ? 1 : 2,
  }));
  const edges = vertices.slice(1).map(({ id }) => ({
    source: id < 6 ? 0 : 1 + (id % 5),
    target: id,
    relation: null,
  }));
  const drawing: Neighbourhood = {
    vertex: 0,
    hops: 2,
    seed: 0,
    directed: false,
    vertices,
    edges,
    left_out: 0,
  };
  const places = placeVertices(drawing);
  expect(Math.hypot(places.get(0)?.x ?? 1, places.get(0)?.y ?? 1)).toBe(0);
  const all = [...places.values()];
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.05);
  }
  expect(placeVertices(drawing)).toEqual(places);
});
