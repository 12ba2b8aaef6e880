import { describe, expect, it } from 'vitest';
import { meanLine, overlay } from './overlay';

describe('an overlay', () => {
  it('puts runs of different steps on one axis', () => {
    const lines = new Map([
      ['a', { steps: [1, 3], values: [1, null] }],
      ['b', { steps: [2, 3], values: [5, 6] }],
    ]);
    const { steps, columns } = overlay(lines);
    expect(steps).toEqual([1, 2, 3]);
    expect([...columns]).toEqual([
      ['a', [1, null, null]],
      ['b', [null, 5, 6]],
    ]);
  });
});

describe('the mean of runs', () => {
  it('is taken on the straight between points, over the runs that reach a step', () => {
    const a = { steps: [0, 10], values: [0, 10] };
    const b = { steps: [0, 5], values: [4, 4] };
    expect(meanLine([a, b])).toEqual({ steps: [0, 5, 10], values: [2, 4.5, 10] });
  });

  it('of one run is the run without its gaps', () => {
    expect(meanLine([{ steps: [1, 2, 3], values: [1, null, 3] }])).toEqual({ steps: [1, 3], values: [1, 3] });
  });
});
