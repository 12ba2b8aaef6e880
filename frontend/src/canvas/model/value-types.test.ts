import { describe, expect, it } from 'vitest';
import { kindsMeet, UNKNOWN_KIND } from './value-types';

describe('kinds of values and ports', () => {
  it.each([
    ['vertex', 'vertex', true],
    ['vertex', 'any', true],
    ['any', 'vertex', true],
    ['graph', 'any', true],
    ['any', 'any', true],
    ['edge', 'any', false],
    ['any', 'edge', false],
    ['graph', 'vertex', false],
    ['edge', UNKNOWN_KIND, true],
    [UNKNOWN_KIND, 'param', true],
  ])('%s into %s: %s', (output, input, meets) => {
    expect(kindsMeet(output, input)).toBe(meets);
  });
});
