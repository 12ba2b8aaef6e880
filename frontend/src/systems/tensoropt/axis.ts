import { number } from '@/ui/format';

/** An axis for values of one unit: straight, or logarithmic where they span an order of magnitude or more. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly ticks: readonly { value: number; text: string }[];
  /** From a value to its share of the axis, 0 to 1, and back. */
  at(value: number): number;
  value(at: number): number;
}

export type Units = readonly (readonly [number, string])[];

export const BYTES: Units = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
];
export const SECONDS: Units = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
];

const SPAN = 8; // from which ratio on an axis is logarithmic
const ROOM = 0.06; // of the axis beyond the outermost values

/** The axis that shows every value, with about `wanted` ticks at round numbers of the largest unit that fits. */
export function axisOf(values: readonly number[], units: Units, wanted: number): Axis {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const logarithmic = least > 0 && most / least >= SPAN;
  const into = logarithmic ? Math.log : (value: number) => value;
  const back = logarithmic ? Math.exp : (value: number) => value;
  const room = (into(most) - into(least)) * ROOM || Math.abs(into(most)) * 0.1 || 1;
  const start = into(least) - room;
  const from = logarithmic ? start : Math.max(0, start);
  const to = into(most) + room;
  const [scale, unit] = units.find(([size]) => most >= size) ?? units.at(-1)!;
  const inUnit = logarithmic
    ? logTicks(back(from) / scale, back(to) / scale, wanted)
    : ticksOf(from / scale, to / scale, wanted);
  return {
    low: back(from),
    high: back(to),
    unit,
    ticks: inUnit.map((tick) => ({ value: tick * scale, text: number(tick, 3) })),
    at: (value) => (into(value) - from) / (to - from),
    value: (at) => back(from + at * (to - from)),
  };
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function ticksOf(low: number, high: number, wanted: number): number[] {
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw)!;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** 1, 2 and 5 of every power of ten; 1 alone where these are too many. */
function logTicks(low: number, high: number, wanted: number): number[] {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  const within = (steps: readonly number[]) =>
    powers.flatMap((power) => steps.map((m) => m * 10 ** power)).filter((t) => t >= low && t <= high);
  return [[1, 2, 5], [1, 3], [1]].map(within).find((ticks) => ticks.length <= wanted + 2) ?? within([1]);
}
