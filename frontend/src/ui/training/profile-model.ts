import type { Slice } from '@/ui/charts/icicle';
import type { Part } from '@/ui/charts/stacked-bar';
import { number } from '@/ui/format';
import type { Kernel, Profile } from './types';

/** What a kernel does decides its colour; the word stands beside it. */
export const KERNEL_KINDS: Record<string, { label: string; color: string }> = {
  row: { label: 'edge loop', color: '--c1' },
  map: { label: 'map', color: '--c3' },
  dense: { label: 'GEMM', color: '--c6' },
  other: { label: 'other', color: '--c8' },
};

export function colorOf(kernel: Kernel): string {
  return KERNEL_KINDS[kernel.kind]?.color ?? '--c8';
}

/** Names repeat between phases and layers; this does not. */
export function kernelId(kernel: Kernel): string {
  return [kernel.phase, kernel.node_id ?? '', kernel.name].join('/');
}

/** Share of the machine's measured memory bandwidth a kernel reaches, 0 to about 1. */
export function bandwidthShare(kernel: Kernel, profile: Profile): number | null {
  if (kernel.bytes === 0 || profile.bandwidth_gb_per_s === 0) return null;
  return kernel.gb_per_s / profile.bandwidth_gb_per_s;
}

/** Which part of a kernel's time its floor is, 0 to about 1; null where it has none. */
export function floorShare(kernel: Kernel): number | null {
  return kernel.bound === null || kernel.time_s === 0 ? null : kernel.floor_s / kernel.time_s;
}

const OPERATION_UNITS: readonly [number, string][] = [
  [1e9, 'GFLOP'],
  [1e6, 'MFLOP'],
  [1e3, 'kFLOP'],
  [1, 'FLOP'],
];

/** A number of arithmetic operations in the unit that suits it. */
export function operations(value: number): string {
  if (value === 0) return 'no arithmetic';
  const [scale, unit] = OPERATION_UNITS.find(([size]) => value >= size) ?? OPERATION_UNITS.at(-1)!;
  return `${number(value / scale, 3)} ${unit}`;
}

/** Whether drawing and cutting batches takes time worth a word; on the whole graph it takes none. */
function makesBatches(profile: Profile): boolean {
  return profile.batch_s > 0.01 * profile.epoch_s;
}

export function phaseParts(profile: Profile): Part[] {
  const rest = profile.loss_s + profile.optimizer_s;
  return [
    { label: 'forward', value: profile.forward_s, color: '--c5' },
    { label: 'backward', value: profile.backward_s, color: '--c1' },
    { label: 'loss and optimiser', value: rest, color: '--c8' },
    ...(makesBatches(profile) ? [{ label: 'batches', value: profile.batch_s, color: '--c2' }] : []),
  ];
}

/** Kernels of one layer, or of none, with what they take together. */
export interface KernelGroup {
  id: string;
  kernels: readonly Kernel[];
  time_s: number;
  bytes: number;
}

/** Kernels by layer, the layer that takes longest first; kernels in the order they are given. */
export function groupsOf(kernels: readonly Kernel[]): KernelGroup[] {
  const groups = new Map<string, Kernel[]>();
  for (const kernel of kernels) {
    const id = kernel.node_id ?? '';
    const known = groups.get(id);
    if (known) known.push(kernel);
    else groups.set(id, [kernel]);
  }
  const sum = (some: readonly Kernel[], of: (kernel: Kernel) => number) =>
    some.reduce((total, kernel) => total + of(kernel), 0);
  return [...groups]
    .map(([id, some]) => ({
      id,
      kernels: some,
      time_s: sum(some, (kernel) => kernel.time_s),
      bytes: sum(some, (kernel) => kernel.bytes),
    }))
    .sort((a, b) => b.time_s - a.time_s);
}

function ordered(kernels: readonly Kernel[], phase: string, order: readonly string[]): Kernel[] {
  const place = (kernel: Kernel) => {
    const at = order.indexOf(kernel.node_id ?? '');
    return at < 0 ? order.length : at;
  };
  const sign = phase === 'backward' ? -1 : 1;
  return kernels.filter((k) => k.phase === phase).sort((a, b) => sign * (place(a) - place(b)));
}

/** The parts of one phase: a slice for each layer that has kernels of its own, then what is left. */
function layers(kernels: readonly Kernel[], total: number): Slice[] {
  const slices: Slice[] = [];
  for (const kernel of kernels) {
    const leaf = { id: kernelId(kernel), label: kernel.name, value: kernel.time_s, color: colorOf(kernel) };
    const node = kernel.node_id ?? '';
    const last = slices.at(-1);
    if (node && last?.id === `node:${node}`) {
      slices[slices.length - 1] = {
        ...last,
        value: last.value + leaf.value,
        children: [...(last.children ?? []), leaf],
      };
    } else if (node) {
      slices.push({ id: `node:${node}`, label: node, value: leaf.value, color: '--c5', children: [leaf] });
    } else slices.push(leaf);
  }
  const spent = slices.reduce((sum, slice) => sum + slice.value, 0);
  if (total - spent > total * 0.001)
    slices.push({ id: 'rest', label: 'other', value: total - spent, color: '--c8' });
  return slices;
}

/** One epoch as nested times: phases, layers, kernels. `order` is the model's nodes in the order they run. */
export function epochSlices(profile: Profile, order: readonly string[]): Slice {
  const phase = (name: string, value: number, color: string): Slice => ({
    id: `phase:${name}`,
    label: name,
    value,
    color,
    children: layers(ordered(profile.kernels, name, order), value),
  });
  return {
    id: 'epoch',
    label: 'epoch',
    value: profile.batch_s + profile.forward_s + profile.loss_s + profile.backward_s + profile.optimizer_s,
    color: '--c8',
    children: [
      ...(makesBatches(profile)
        ? [{ id: 'phase:batches', label: 'batches', value: profile.batch_s, color: '--c2' }]
        : []),
      phase('forward', profile.forward_s, '--c5'),
      { id: 'phase:loss', label: 'loss', value: profile.loss_s, color: '--c4' },
      phase('backward', profile.backward_s, '--c1'),
      { id: 'phase:step', label: 'optimiser', value: profile.optimizer_s, color: '--c8' },
    ],
  };
}

export interface LayerLaunches {
  readonly node_id: string;
  readonly kernels: number;
  readonly products: number;
  readonly forward: number;
  readonly backward: number;
}

/** Kernels and products an epoch starts, by the layer they belong to, in the order of the profile. */
export function launchesOf(profile: Profile): LayerLaunches[] {
  const own = profile.kernels.filter((kernel) => kernel.kind !== 'other' && kernel.node_id !== null);
  return [...new Set(own.map((kernel) => kernel.node_id as string))].map((node_id) => {
    const calls = (test: (kernel: Kernel) => boolean) =>
      own
        .filter((kernel) => kernel.node_id === node_id && test(kernel))
        .reduce((sum, kernel) => sum + kernel.calls, 0);
    return {
      node_id,
      kernels: calls((kernel) => kernel.kind !== 'dense'),
      products: calls((kernel) => kernel.kind === 'dense'),
      forward: calls((kernel) => kernel.phase === 'forward'),
      backward: calls((kernel) => kernel.phase === 'backward'),
    };
  });
}
