import type { Slice } from '@/ui/charts/icicle';
import type { Part } from '@/ui/charts/stacked-bar';
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

export function phaseParts(profile: Profile): Part[] {
  const rest = profile.loss_s + profile.optimizer_s;
  return [
    { label: 'forward', value: profile.forward_s, color: '--c5' },
    { label: 'backward', value: profile.backward_s, color: '--c1' },
    { label: 'loss and optimiser', value: rest, color: '--c8' },
  ];
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
    value: profile.forward_s + profile.loss_s + profile.backward_s + profile.optimizer_s,
    color: '--c8',
    children: [
      phase('forward', profile.forward_s, '--c5'),
      { id: 'phase:loss', label: 'loss', value: profile.loss_s, color: '--c4' },
      phase('backward', profile.backward_s, '--c1'),
      { id: 'phase:step', label: 'optimiser', value: profile.optimizer_s, color: '--c8' },
    ],
  };
}
