/** The geometry of a degree histogram on two logarithmic axes. Pure. */
import type { Degrees } from './api';

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
  readonly vertices: number;
}

export interface Tick {
  readonly at: number;
  readonly value: number;
}

export interface DegreeChart {
  readonly bars: readonly Bar[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly mean: number | null;
}

/** Bins touch on the axis: a bin from `low` to `high` covers low to high + 1. The y axis starts below 1, so one vertex shows. */
export function degreeChart(degrees: Degrees, width: number, height: number): DegreeChart {
  const bins = degrees.bins.filter((bin) => bin.vertices > 0);
  const last = Math.max(2, ...degrees.bins.map((bin) => bin.high + 1));
  const most = Math.max(1, ...bins.map((bin) => bin.vertices));
  const start = startOf(bins[0]?.low ?? 1);
  const x = (value: number) => (Math.log(value / start) / Math.log(last / start)) * width;
  const floor = 0.7;
  const y = (value: number) => height - (Math.log(value / floor) / Math.log((most * 1.15) / floor)) * height;
  return {
    bars: bins.map((bin) => ({
      x: x(bin.low),
      width: Math.max(1, x(bin.high + 1) - x(bin.low) - 1),
      y: y(bin.vertices),
      height: height - y(bin.vertices),
      low: bin.low,
      high: bin.high,
      vertices: bin.vertices,
    })),
    xTicks: steps(last)
      .filter((value) => value >= start)
      .map((value) => ({ at: x(value), value })),
    yTicks: decades(most).map((value) => ({ at: y(value), value })),
    mean: degrees.mean >= start && degrees.mean < last ? x(degrees.mean) : null,
  };
}

/** The axis begins at 1, or at the last round number below the smallest degree where that is far off. */
function startOf(smallest: number): number {
  return smallest < 5 ? 1 : (steps(smallest).at(-1) ?? 1);
}

/** 1, 2, 5, 10, 20, 50, … below `end`. */
function steps(end: number): number[] {
  const out: number[] = [];
  for (let decade = 1; decade < end; decade *= 10) {
    for (const step of [1, 2, 5]) if (decade * step < end) out.push(decade * step);
  }
  return out.length > 10 ? decades(end) : out;
}

function decades(end: number): number[] {
  const out: number[] = [];
  for (let value = 1; value <= end; value *= 10) out.push(value);
  return out;
}
