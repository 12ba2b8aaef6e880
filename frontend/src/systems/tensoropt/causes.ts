import type { Part } from '@/ui/charts/stacked-bar';
import { sentence } from '@/ui/format';

/** Causes by colour, so that a cause looks the same in every bar; those that nobody named come last, in grey. */
const COLORS: Readonly<Record<string, string>> = {
  activations: '--c1',
  optimizer: '--c3',
  gradients: '--c4',
  parameters: '--c6',
  inputs: '--c8',
  forward: '--c1',
  backward: '--c5',
  all_reduce: '--c2',
  all_gather: '--c4',
  reduce_scatter: '--c6',
  all_to_all: '--c7',
  copies: '--c8',
};

/** What a whole is made of, in the order of the colours above. */
export function partsOf(causes: Readonly<Record<string, number>>): Part[] {
  const order = Object.keys(COLORS);
  const place = (cause: string) => (order.indexOf(cause) + order.length + 1) % (order.length + 1);
  return Object.entries(causes)
    .filter(([, value]) => value > 0)
    .sort(([a], [b]) => place(a) - place(b))
    .map(([cause, value]) => ({
      label: sentence(cause).toLowerCase(),
      value,
      color: COLORS[cause] ?? '--c8',
    }));
}
