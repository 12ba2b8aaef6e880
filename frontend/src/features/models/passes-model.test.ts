import { describe, expect, it } from 'vitest';
import type { Compilation } from './api';
import { passRows } from './passes-model';

type Stage = Compilation['stages'][number];

function stage(name: string, before: number, after: number): Stage {
  const counts = (n: number) => ({
    ops: { add: n, mul: 1 },
    on_edges: n,
    launches: n,
    moved: 10 * n,
    saved: 0,
    allocated: n,
  });
  return {
    name,
    ir: '',
    places: [],
    before: counts(before),
    after: counts(after),
    changed: before !== after,
  };
}

describe('the rows of the passes table', () => {
  const stages = [stage('fold', 9, 8), stage('share', 8, 8), stage('fold', 8, 5), stage('lower', 5, 6)];
  const rows = passRows({ stages, switches: ['fold', 'share', 'fuse'] }, ['fuse']);
  const [fold, share, lower, fuse] = rows;

  it('has one row a pass, with what all its runs changed', () => {
    expect(rows.map((row) => row.name)).toEqual(['fold', 'share', 'lower', 'fuse']);
    expect(fold?.change).toMatchObject({ operations: -4, launches: -4, moved: -40, saved: 0 });
    expect(lower?.change.operations).toBe(1);
  });

  it('tells which passes changed nothing, cannot be left out, or are left out', () => {
    expect([fold?.changed, share?.changed]).toEqual([true, false]);
    expect([fold?.optional, lower?.optional]).toEqual([true, false]);
    expect([fuse?.off, fold?.off]).toEqual([true, false]);
  });
});
