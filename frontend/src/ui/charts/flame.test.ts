import { describe, expect, it } from 'vitest';
import { type FlameFile, heaviestFirst, rowsOf, slicesOf } from './flame';

function file(names: string[], samples: number[][], weights: number[]): FlameFile {
  return {
    shared: { frames: names.map((name) => ({ name })) },
    profiles: [{ name: 'one', unit: 'seconds', samples, weights }],
    asterism: { shown: samples.length, total: samples.length },
  };
}

const FILE = file(['a', 'b', 'c'], [[0, 1], [0, 1], [0], [0, 1], [2]], [1, 2, 3, 4, 5]);

describe('a flame view', () => {
  it('joins neighbours and keeps the order of time', () => {
    expect(rowsOf(slicesOf(FILE))).toEqual([
      ['one', 0, 15],
      ['one > a', 1, 10],
      ['one > a > b', 2, 3],
      ['one > a > b', 2, 4],
      ['one > c', 1, 5],
    ]);
  });

  it('keeps a gap where a frame runs alone, so the next child stands at its time', () => {
    const a = slicesOf(FILE).children![0]!;
    expect(a.children!.map((child) => [child.label, child.value])).toEqual([
      ['b', 3],
      ['', 3],
      ['b', 4],
    ]);
  });

  it('shows the heaviest first when asked', () => {
    const many = file(['x', 'y'], [[0], [1], [0], [1]], [1, 5, 1, 5]);
    expect(rowsOf(heaviestFirst(slicesOf(many))).map(([path, , value]) => [path, value])).toEqual([
      ['one', 12],
      ['one > y', 10],
      ['one > x', 2],
    ]);
  });

  it('D11: holds thousands of spans in a tree no deeper than their stacks', () => {
    const samples = Array.from({ length: 20_000 }, (_, i) => [0, 1 + (i % 200)]);
    const names = ['epoch', ...Array.from({ length: 200 }, (_, i) => `layer ${i}`)];
    const root = heaviestFirst(
      slicesOf(
        file(
          names,
          samples,
          samples.map(() => 1),
        ),
      ),
    );
    expect([root.children!.length, root.children![0]!.children!.length]).toEqual([1, 200]);
    expect(root.children![0]!.children!.every((child) => child.value === 100)).toBe(true);
  });
});
