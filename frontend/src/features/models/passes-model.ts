import { bytes, count } from '@/ui/format';
import type { Compilation } from './api';

type Counts = Compilation['stages'][number]['before'];

/** What is counted of a program, as the table shows it. */
export const MEASURES = [
  { key: 'operations', title: 'Operations', unit: 'count', hint: 'Values computed, forward and backward.' },
  { key: 'on_edges', title: 'On edges', unit: 'count', hint: 'Operations done once an edge.' },
  { key: 'launches', title: 'Launches', unit: 'count', hint: 'Kernels and products started.' },
  { key: 'moved', title: 'Moved', unit: 'bytes', hint: 'Bytes read and written.' },
  { key: 'saved', title: 'Kept', unit: 'bytes', hint: 'Bytes kept for the backward pass.' },
  { key: 'allocated', title: 'Allocated', unit: 'bytes', hint: 'Bytes of new tensors.' },
] as const;

export type Measure = (typeof MEASURES)[number]['key'];
export type Figures = Readonly<Record<Measure, number>>;

export interface PassRow {
  readonly name: string;
  /** Whether a job can leave it out. */
  readonly optional: boolean;
  readonly off: boolean;
  readonly changed: boolean;
  /** After minus before, all runs of the pass together. */
  readonly change: Figures;
}

export function figures(counts: Counts): Figures {
  const operations = Object.values(counts.ops).reduce((sum, one) => sum + one, 0);
  const { on_edges, launches, moved, saved, allocated } = counts;
  return { operations, on_edges, launches, moved, saved, allocated };
}

function combined(a: Figures, b: Figures, sign: 1 | -1): Figures {
  const entries = MEASURES.map(({ key }) => [key, a[key] + sign * b[key]] as const);
  return Object.fromEntries(entries) as Record<Measure, number>;
}

const NONE: Figures = { operations: 0, on_edges: 0, launches: 0, moved: 0, saved: 0, allocated: 0 };

/** One row a pass, in the order in which they first run; passes left out stand in the order of the switches. */
export function passRows(data: Pick<Compilation, 'stages' | 'switches'>, off: readonly string[]): PassRow[] {
  const names = new Set([...data.stages.map((stage) => stage.name), ...data.switches]);
  return [...names].map((name) => {
    const runs = data.stages.filter((stage) => stage.name === name);
    const change = runs.reduce(
      (sum, run) => combined(sum, combined(figures(run.after), figures(run.before), -1), 1),
      NONE,
    );
    const changed = runs.some((run) => run.changed);
    return { name, optional: data.switches.includes(name), off: off.includes(name), changed, change };
  });
}

/** A difference with its sign, in its unit: `−3`, `+1.2 MiB`; empty where nothing changed. */
export function changeText(value: number, unit: 'count' | 'bytes'): string {
  if (value === 0) return '';
  const size = unit === 'bytes' ? bytes(Math.abs(value)) : count(Math.abs(value));
  return `${value < 0 ? '−' : '+'}${size}`;
}

/** What a pass did in words: `−2 operations, −1 on edges, −6.1 MiB moved`. */
export function savedText(before: Figures, after: Figures): string {
  const change = combined(after, before, -1);
  const said = MEASURES.filter(({ key }) => change[key] !== 0).map(
    ({ key, title, unit }) => `${changeText(change[key], unit)} ${title.toLowerCase()}`,
  );
  return said.join(', ') || 'Same counts, other operations';
}
