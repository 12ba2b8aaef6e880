import { describe, expect, it } from 'vitest';
import { bandwidthShare, epochSlices, kernelId, phaseParts } from './profile-model';
import type { Kernel, Profile } from './types';

const kernel = (changes: Partial<Kernel>): Kernel => ({
  name: 'k',
  kind: 'row',
  phase: 'forward',
  node_id: 'gat1',
  fused_from: ['mul', 'sum'],
  calls: 1,
  time_s: 0.01,
  bytes: 1e6,
  gb_per_s: 5,
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
  saved_bytes: 0,
  bandwidth_gb_per_s: 10,
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

  it('cuts an epoch into parts that add up to it', () => {
    expect(phaseParts(PROFILE).reduce((total, part) => total + part.value, 0)).toBeCloseTo(0.1, 9);
  });
});
