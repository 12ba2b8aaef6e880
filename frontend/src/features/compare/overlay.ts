import type { Schemas } from '@/api/types';

export type Series = Schemas['JobSeries'];

interface Line {
  steps: readonly number[];
  values: readonly (number | null)[];
}

/** Series of several runs on one axis: all their steps, ascending, and a column for each run with gaps as null. */
export function overlay(lines: ReadonlyMap<string, Line>): {
  steps: number[];
  columns: Map<string, (number | null)[]>;
} {
  const steps = [...new Set([...lines.values()].flatMap((line) => line.steps))].sort((a, b) => a - b);
  const row = new Map(steps.map((step, i) => [step, i]));
  const columns = new Map<string, (number | null)[]>();
  for (const [key, line] of lines) {
    const column = new Array<number | null>(steps.length).fill(null);
    line.steps.forEach((step, i) => {
      column[row.get(step)!] = line.values[i] ?? null;
    });
    columns.set(key, column);
  }
  return { steps, columns };
}

/** A line's value at a step, on the straight between its points; null before the first and after the last. */
function valueAt(points: readonly { step: number; value: number }[], step: number): number | null {
  let high = points.findIndex((p) => p.step >= step);
  if (high < 0) return null;
  if (points[high]!.step === step) return points[high]!.value;
  if (high === 0) return null;
  const [a, b] = [points[--high]!, points[high + 1]!];
  return a.value + ((b.value - a.value) * (step - a.step)) / (b.step - a.step);
}

/** The mean of some lines at every step any of them has, over those that reach it. */
export function meanLine(lines: readonly Line[]): Line {
  const points = lines.map((line) =>
    line.steps.flatMap((step, i) => {
      const value = line.values[i];
      return value === null || value === undefined ? [] : [{ step, value }];
    }),
  );
  const steps = [...new Set(points.flat().map((p) => p.step))].sort((a, b) => a - b);
  const values = steps.map((step) => {
    const found = points.map((p) => valueAt(p, step)).filter((v): v is number => v !== null);
    return found.reduce((sum, v) => sum + v, 0) / found.length;
  });
  return { steps, values };
}
