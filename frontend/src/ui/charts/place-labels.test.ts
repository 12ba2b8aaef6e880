import { describe, expect, it } from 'vitest';
import { type LineEnd, placeAtEnds, placeLabels } from './place-labels';

describe('label placement', () => {
  it('leaves labels that are apart where they are', () => {
    expect(placeLabels([50, 10], 14, 0, 100)).toEqual([50, 10]);
  });

  it('pushes crowded labels apart in their own order', () => {
    expect(placeLabels([50, 48], 14, 0, 100)).toEqual([62, 48]);
  });

  it('keeps them inside the plot', () => {
    expect(placeLabels([99, 98, 97], 10, 0, 100)).toEqual([100, 90, 80]);
  });
});

describe('labels beside the ends of lines', () => {
  const BESIDE = 8;
  const GAP = 14;
  const HIGH = 100;
  const ROUNDING = 1e-9;

  /** Numbers from 0 to 1 that are the same in every run. */
  function numbers(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
  }

  it('stand at their own ends where there is room', () => {
    const ends = [
      { x: 0, y: 50, width: 40 },
      { x: 60, y: 50, width: 40 },
    ];
    expect(placeAtEnds(ends, BESIDE, GAP, 0, HIGH)).toEqual([
      { x: 8, y: 50 },
      { x: 68, y: 50 },
    ]);
  });

  it('lie neither over one another nor over an end, and stay in the plot', () => {
    const next = numbers(7);
    for (let round = 0; round < 500; round++) {
      const ends: LineEnd[] = Array.from({ length: 1 + Math.floor(next() * 6) }, () => ({
        x: next() * 400,
        y: next() * HIGH,
        width: 10 + next() * 60,
      }));
      const places = placeAtEnds(ends, BESIDE, GAP, 0, HIGH);
      places.forEach(({ x, y }, i) => {
        const right = x + ends[i]!.width;
        expect(y >= 0 && y <= HIGH && x >= ends[i]!.x + BESIDE - ROUNDING).toBe(true);
        for (const end of ends) expect(end.x <= x - BESIDE + ROUNDING || end.x >= right).toBe(true);
        places.slice(0, i).forEach((other, k) => {
          const beside = x >= other.x + ends[k]!.width || other.x >= right;
          expect(beside || Math.abs(y - other.y) >= GAP - ROUNDING).toBe(true);
        });
      });
    }
  });
});
