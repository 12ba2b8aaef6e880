import { describe, expect, it } from 'vitest';
import { condense } from './condense';

const STEPS = 10_000;
const PIXELS = 300;
const xs = Array.from({ length: STEPS }, (_, i) => i);
const wave = xs.map((x) => Math.sin(x / 40) + ((x * 7919) % 101) / 101);
const late = xs.map((x) => (x < 6000 || x % 5 ? null : x % 1009));
const rows = { xs, columns: [wave, late] };

/** The lowest and the highest value of a line in every column of pixels. */
function extents(
  { xs, columns }: typeof rows,
  line: number,
  [low, high]: readonly [number, number],
): Map<number, [number, number]> {
  const found = new Map<number, [number, number]>();
  xs.forEach((x, row) => {
    const value = columns[line]![row];
    if (value === null || value === undefined || x < low || x > high) return;
    const pixel = Math.floor((x - low) * (PIXELS / (high - low)));
    const [a, b] = found.get(pixel) ?? [value, value];
    found.set(pixel, [Math.min(a, value), Math.max(b, value)]);
  });
  return found;
}

describe('condensed rows', () => {
  for (const range of [
    [0, STEPS - 1],
    [2500, 7500],
  ] as const) {
    it(`make the same picture of ${range.join(' to ')}`, () => {
      const drawn = condense(rows, range, PIXELS) as typeof rows;
      expect(drawn.xs.length).toBeLessThan((range[1] - range[0]) / 2);
      for (const line of [0, 1]) expect(extents(drawn, line, range)).toEqual(extents(rows, line, range));
      expect(drawn.xs).toEqual([...drawn.xs].sort((a, b) => a - b));
    });
  }

  it('are all rows where there are few, or the range is empty', () => {
    expect(condense(rows, [10, 500], PIXELS)).toBe(rows);
    expect(condense(rows, [10, 10], 1)).toBe(rows);
  });

  it('keep a row on either side of the range, so lines leave the picture where they did', () => {
    const drawn = condense(rows, [2500.5, 7499.5], PIXELS);
    expect([drawn.xs[0], drawn.xs.at(-1)]).toEqual([2500, 7501]);
  });

  it('are none of none', () => {
    expect(condense({ xs: [], columns: [[]] }, [0, 1], PIXELS).xs).toEqual([]);
  });
});
