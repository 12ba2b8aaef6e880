import { describe, expect, it } from 'vitest';
import { placeLabels } from './place-labels';

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
