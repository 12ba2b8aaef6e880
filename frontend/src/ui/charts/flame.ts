import type { Slice } from './icicle';

/** The part of a speedscope file that is drawn. */
export interface FlameFile {
  shared: { frames: readonly { name: string }[] };
  profiles: readonly {
    name: string;
    unit: string;
    samples: readonly (readonly number[])[];
    weights: readonly number[];
  }[];
  /** How many samples there are here, and were. */
  asterism: { shown: number; total: number };
}

const COLORS = ['--c5', '--c1', '--c3', '--c6', '--c4', '--c2'] as const;

/** The same name has always the same colour. */
function colorOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0;
  return COLORS[sum % COLORS.length]!;
}

interface Growing {
  id: string;
  label: string;
  value: number;
  color: string;
  children: Growing[];
}

const grown = (id: string, label: string): Growing => ({
  id,
  label,
  value: 0,
  color: colorOf(label),
  children: [],
});

/** Samples in the order of time as nested slices: neighbours with the same frame at the same depth are one. */
export function slicesOf(file: FlameFile, profile = 0): Slice {
  const { name, samples, weights } = file.profiles[profile]!;
  const root = { ...grown('root', name), color: '--c8' };
  samples.forEach((stack, i) => {
    let at = root;
    at.value += weights[i]!;
    for (const frame of stack) {
      const label = file.shared.frames[frame]?.name ?? '?';
      let next = at.children.at(-1);
      if (next?.label !== label || Math.abs(endOf(at) - at.value + weights[i]!) > 1e-12 * root.value) {
        next = grown(`${at.id}/${at.children.length}`, label);
        // What of the parent came before has no frame of its own: an empty place keeps the time in order.
        const gap = at.value - weights[i]! - endOf(at);
        if (gap > 1e-12 * root.value) at.children.push({ ...grown(`${next.id}-`, ''), value: gap });
        at.children.push(next);
      }
      next.value += weights[i]!;
      at = next;
    }
  });
  return root;
}

const endOf = (slice: Growing) => slice.children.reduce((sum, child) => sum + child.value, 0);

/** Slices of one name under one parent together, the longest first. */
export function heaviestFirst(slice: Slice): Slice {
  const merged = new Map<string, Slice>();
  for (const child of slice.children ?? []) {
    const known = merged.get(child.label);
    merged.set(child.label, known ? joined(known, child) : child);
  }
  const children = [...merged.values()]
    .filter((child) => child.label !== '')
    .map(heaviestFirst)
    .sort((a, b) => b.value - a.value);
  return { ...slice, children };
}

function joined(a: Slice, b: Slice): Slice {
  return { ...a, value: a.value + b.value, children: [...(a.children ?? []), ...(b.children ?? [])] };
}

/** The slices as rows, each with its way down from the root. */
export function rowsOf(slice: Slice, path: readonly string[] = []): [string, number, number][] {
  const here = [...path, slice.label];
  const below = (slice.children ?? []).flatMap((child) => rowsOf(child, here));
  return slice.label === '' ? below : [[here.join(' > '), path.length, slice.value], ...below];
}
