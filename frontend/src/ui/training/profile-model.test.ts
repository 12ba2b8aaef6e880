import { describe, expect, it } from 'vitest';
import {
  bandwidthShare,
  epochSlices,
  floorShare,
  groupsOf,
  kernelId,
  launchesOf,
  operations,
  phaseParts,
} from './profile-model';
import type { Kernel, Profile } from './types';

const kernel = (changes: Partial<Kernel>): Kernel => ({
  name: 'k',
  kind: 'row',
  phase: 'forward',
  node_id: 'gat1',
  fused_from: ['mul', 'sum'],
  calls: 1,
  time_s: 0.01,
  ir: [],
  lines: [],
  bytes: 1e6,
  least_bytes: 5e5,
  operations: 2e6,
  gb_per_s: 5,
  floor_s: 0.004,
  bound: 'memory',
  source: null,
  ...changes,
});

const PROFILE: Profile = {
  epochs: 10,
  epoch_s: 0.1,
  forward_s: 0.04,
  loss_s: 0.01,
  backward_s: 0.04,
  optimizer_s: 0.01,
  evaluation_s: 0.02,
  kernels: [
    kernel({ node_id: 'gat2', name: 'b', time_s: 0.01 }),
    kernel({ node_id: 'gat1', name: 'a', time_s: 0.015 }),
    kernel({ node_id: 'gat1', name: 'a2', time_s: 0.005 }),
    kernel({ phase: 'backward', node_id: 'gat1', name: 'a' }),
    kernel({ phase: 'backward', node_id: 'gat2', name: 'b' }),
  ],
  batch_s: 0,
  saved: [],
  saved_bytes: 0,
  memory: [],
  programs: [],
  bandwidth_gb_per_s: 10,
  gflop_per_s: 100,
  threads: 2,
  machine: 'cpu',
};

describe('the profile of an epoch', () => {
  const root = epochSlices(PROFILE, ['input', 'gat1', 'gat2', 'output']);
  const [forward, , backward] = root.children!;

  it('puts layers in the order they run, backward the other way round', () => {
    expect([forward, backward].map((phase) => phase!.children!.map((slice) => slice.label))).toEqual([
      ['gat1', 'gat2', 'other'],
      ['gat2', 'gat1', 'other'],
    ]);
  });

  it('adds up at every level', () => {
    const sum = (values: readonly { value: number }[]) =>
      values.reduce((total, { value }) => total + value, 0);
    expect(sum(root.children!)).toBeCloseTo(root.value, 9);
    expect(sum(forward!.children!)).toBeCloseTo(forward!.value, 9);
    expect(sum(forward!.children![0]!.children!)).toBeCloseTo(0.02, 9);
  });

  it('tells kernels of one name apart by phase and layer', () => {
    expect(new Set(PROFILE.kernels.map(kernelId)).size).toBe(5);
  });

  it('compares with the bandwidth measured on the machine', () => {
    expect([bandwidthShare(kernel({}), PROFILE), bandwidthShare(kernel({ bytes: 0 }), PROFILE)]).toEqual([
      0.5,
      null,
    ]);
  });

  it('says how near the floor a kernel is, and nothing where there is no floor', () => {
    expect([floorShare(kernel({})), floorShare(kernel({ bound: null, floor_s: 0 }))]).toEqual([0.4, null]);
  });

  it('writes operations in the unit that suits them', () => {
    expect([0, 12, 34_000, 2.5e6, 1.2e10].map(operations)).toEqual([
      'no arithmetic',
      '12 FLOP',
      '34 kFLOP',
      '2.5 MFLOP',
      '12 GFLOP',
    ]);
  });

  it('cuts an epoch into parts that add up to it', () => {
    expect(phaseParts(PROFILE).reduce((total, part) => total + part.value, 0)).toBeCloseTo(0.1, 9);
  });
});

describe('D11: thousands of kernels', () => {
  const many = Array.from({ length: 5000 }, (_, i) =>
    kernel({ name: `k${i}`, node_id: i % 251 === 250 ? null : `layer${i % 251}`, time_s: (i % 251) / 1e6 }),
  );

  it('collapse to one row a layer, the longest first, with nothing lost', () => {
    const groups = groupsOf(many);
    expect(groups).toHaveLength(251);
    expect(groups.reduce((sum, group) => sum + group.kernels.length, 0)).toBe(5000);
    expect(groups[0]!.id).toBe('');
    expect(groups[1]!.id).toBe('layer249');
    const total = many.reduce((sum, k) => sum + k.time_s, 0);
    expect(groups.reduce((sum, group) => sum + group.time_s, 0)).toBeCloseTo(total, 12);
  });
});

describe('launches of an epoch', () => {
  it('are added up layer by layer, without what is no kernel', () => {
    const kernels = [
      kernel({ calls: 2 }),
      kernel({ kind: 'dense', phase: 'backward', calls: 3 }),
      kernel({ kind: 'map', node_id: 'out' }),
      kernel({ kind: 'other', calls: 50 }),
      kernel({ node_id: null, calls: 9 }),
    ];
    expect(launchesOf({ ...PROFILE, kernels })).toEqual([
      { node_id: 'gat1', kernels: 2, products: 3, forward: 2, backward: 3 },
      { node_id: 'out', kernels: 1, products: 0, forward: 1, backward: 0 },
    ]);
  });
});
