import type { Schemas } from '@/api/types';
import { lookOf, placesOf } from '@/ui/charts/run-looks';
import type { SeriesLook } from '@/ui/charts/series-plot';
import { number } from '@/ui/format';
import type { CompareSearch } from './route';

export type ComparedJob = Schemas['ComparedJob'];
export type ComparedRow = Schemas['ComparedRow'];
export type Comparison = Schemas['JobComparison'];
export type Scalar = ComparedRow['values'][number];

export const MOST_RUNS = 100;

export function idsOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').filter(Boolean))].slice(0, MOST_RUNS);
}

/** The place of each run's look: the address says it, or the browser knows it from before. */
export function placesIn(search: CompareSearch, known: (run: string) => number | undefined): number[] {
  const ids = idsOf(search.jobs);
  const said = search.looks?.split('.').map(Number);
  return placesOf(ids, (run, i) => (said ? said[i] : search.looks === undefined ? known(run) : undefined));
}

export function writePlaces(places: readonly number[]): string | undefined {
  return places.every((place, i) => place === i) ? undefined : places.join('.');
}

/** A run of the comparison, as the page shows it. */
export interface Run {
  job: ComparedJob;
  /** Its column in the rows of the comparison. */
  column: number;
  place: number;
  look: Pick<SeriesLook, 'color' | 'dash'>;
  isBase: boolean;
  isOff: boolean;
}

function holds(job: ComparedJob, text: string): boolean {
  const labels = Object.entries(job.labels).map(([key, value]) => `${key}=${value}`);
  return [job.name, job.id, job.state, job.kind, ...labels].some((word) => word.toLowerCase().includes(text));
}

/** The runs that pass the filter, in their order; the one the others are measured by comes first. */
export function runsOf(comparison: Comparison, search: CompareSearch, places: readonly number[]): Run[] {
  const order = idsOf(search.jobs);
  const off = new Set(idsOf(search.off));
  const text = (search.q ?? '').toLowerCase();
  const runs = comparison.jobs.map((job, column) => {
    const place = places[order.indexOf(job.id)] ?? column;
    return {
      job,
      column,
      place,
      look: lookOf(place),
      isBase: job.id === search.base,
      isOff: off.has(job.id),
    };
  });
  return runs.filter((run) => holds(run.job, text)).sort((a, b) => Number(b.isBase) - Number(a.isBase));
}

/** Runs have often the same name: then the end of the id tells them apart. */
export function titlesOf(runs: readonly Run[]): Map<string, string> {
  const times = new Map<string, number>();
  for (const { job } of runs) times.set(job.name, (times.get(job.name) ?? 0) + 1);
  return new Map(
    runs.map(({ job }) => [
      job.id,
      times.get(job.name)! > 1 ? `${job.name} · ${job.id.slice(-4)}` : job.name,
    ]),
  );
}

/** Runs with the same value of a row, by that value. */
export function groupsOf(runs: readonly Run[], row: ComparedRow | undefined): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = row ? said(row.values[run.column] ?? null) : '';
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return groups;
}

/** A value in words. */
export function said(value: Scalar): string {
  if (value === null) return '–';
  return typeof value === 'number' ? number(value, 5) : String(value);
}

/** How far a number is from the base's: "+12.5 %"; nothing where that says nothing. */
export function awayFrom(value: Scalar, base: Scalar): string {
  if (typeof value !== 'number' || typeof base !== 'number' || base === 0 || value === base) return '';
  const share = (value - base) / Math.abs(base);
  return `${share > 0 ? '+' : '−'}${number(Math.abs(share) * 100, 3)} %`;
}

/** Names of the series the runs have, those that most of them have first. */
export function metricNames(comparison: Comparison): string[] {
  const rows = comparison.rows.filter((row) => row.section === 'metric');
  const has = (row: ComparedRow) => row.values.filter((value) => value !== null).length;
  return [...rows].sort((a, b) => has(b) - has(a)).map((row) => row.path);
}
