import { describe, expect, it } from 'vitest';
import { axisOf, BYTES, SECONDS } from './axis';
import { bestUnder, communication, devicesOf, fits, planId, plansOf } from './plans';
import { rangesOf, sayPieces, splitsOf } from './splits';
import type { Frontier } from './types';

const GIB = 2 ** 30;

function costed(memory: number, step: number, artifact: string) {
  return {
    mesh: [4],
    memory_bytes: memory * GIB,
    step_s: step,
    memory: {},
    time: { forward: step / 2, all_reduce: step / 4, optimizer: step / 4 },
    recomputed: 0,
    artifact: `strategies/${artifact}.json`,
  };
}

const frontier: Frontier = {
  devices: 4,
  points: [costed(1, 0.9, '4-00'), costed(2, 0.5, '4-01'), costed(6, 0.2, '4-02')],
  found: 3,
  known: [{ ...costed(4, 0.4, '4-known-0'), name: 'data parallel 4' }],
  exact: true,
  eps: 0,
  search_s: 1,
};

describe('plans', () => {
  const plans = plansOf(frontier);

  it('stand by memory, those known among those found', () => {
    expect(plans.map((one) => one.title)).toEqual(['1', '2', 'Data parallel 4', '3']);
    expect(plans.map((one) => one.id)).toEqual(['4-00', '4-01', '4-known-0', '4-02']);
    expect(devicesOf(plans[2]!.id)).toBe(4);
    expect(devicesOf(undefined)).toBeNaN();
    expect(planId('strategies/16-03.json')).toBe('16-03');
  });

  it('are the fastest that fits under a cap, for every cap', () => {
    for (const cap of [0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 9].map((gib) => gib * GIB)) {
      const fitting = plans.filter((one) => fits(one, cap));
      const least = Math.min(...fitting.map((one) => one.costed.step_s));
      expect(bestUnder(plans, cap)?.costed.step_s ?? Number.POSITIVE_INFINITY).toBe(least);
    }
  });

  it('say what share of a step is spent in collectives', () => {
    expect(communication(plans[0]!.costed)).toBeCloseTo(0.25);
  });
});

describe('an axis', () => {
  const spans: [readonly number[], typeof BYTES][] = [
    [[3 * GIB, 9 * GIB], BYTES],
    [[11, 142].map((mib) => mib * 2 ** 20), BYTES],
    [[0.002, 0.031], SECONDS],
    [[0.4, 120], SECONDS],
    [[5e-7, 5e-7], SECONDS],
    [[1000], BYTES],
  ];

  it.each(spans)('shows %j with round ticks inside, and finds every value again', (values, units) => {
    const axis = axisOf(values, units, 6);
    expect(axis.low).toBeLessThanOrEqual(Math.min(...values));
    expect(axis.high).toBeGreaterThanOrEqual(Math.max(...values));
    expect(axis.ticks.length).toBeGreaterThanOrEqual(1);
    expect(axis.ticks.length).toBeLessThanOrEqual(9);
    for (const { value } of axis.ticks) {
      expect(axis.at(value)).toBeGreaterThanOrEqual(0);
      expect(axis.at(value)).toBeLessThanOrEqual(1);
    }
    for (const value of values) {
      expect(axis.value(axis.at(value)) / value).toBeCloseTo(1);
      expect(axis.at(value)).toBeGreaterThanOrEqual(0);
    }
  });

  it('is in the unit of its largest value', () => {
    expect(axisOf([3 * GIB, 9 * GIB], BYTES, 6).unit).toBe('GiB');
    expect(axisOf([0.002, 0.031], SECONDS, 6).unit).toBe('ms');
  });
});

describe('splits', () => {
  const operators = {
    p_blocks_0_up_weight: { outputs: ['S1 S0'] },
    p_blocks_1_up_weight: { outputs: ['S1 S0'] },
    p_blocks_2_up_weight: { outputs: ['S0 S0'] },
    p_blocks_3_up_weight: { outputs: ['S1 S0'] },
    p_out_weight: { outputs: ['R R'] },
    tokens: { outputs: ['S0 R'] },
    linear: { inputs: ['S0 R'], outputs: ['S0 R'] },
  };

  it('join blocks that lie alike, and leave out what is computed', () => {
    const found = splitsOf({ mesh: [2, 4], operators });
    expect(found.map(({ name, pieces }) => [name, sayPieces(pieces)])).toEqual([
      ['blocks 0–1, 3 · up weight', 'rows ÷ 4, columns ÷ 2'],
      ['blocks 2 · up weight', 'rows ÷ 8'],
      ['out weight', 'whole'],
      ['tokens', 'rows ÷ 2'],
    ]);
  });

  it('write numbers as ranges', () => {
    expect(rangesOf([3, 0, 1, 2, 7])).toBe('0–3, 7');
    expect(rangesOf([])).toBe('');
  });
});
