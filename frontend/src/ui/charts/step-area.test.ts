import { describe, expect, it } from 'vitest';
import { partsOf } from './step-area';

const step = (part: string) => ({ label: 'k', value: 1, part });

describe('parts of a curve', () => {
  it('are runs of neighbours, a name that comes again being another run', () => {
    expect(partsOf(['a', 'a', 'b', 'a'].map(step))).toEqual([
      ['a', 0, 2],
      ['b', 2, 3],
      ['a', 3, 4],
    ]);
    expect(partsOf([])).toEqual([]);
  });
});
