import { useMemo } from 'react';
import type { JobSeries } from '@/api/job-series';
import type { AnyRecord, Job } from '@/api/types';
import { sentence } from '@/ui/format';
import { type ChartSpec, type SystemPage, useSystemPage } from '@/ui/system-page';

const COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'] as const;

function single(name: string, i: number): ChartSpec {
  return {
    title: sentence(name),
    caption: name,
    series: [{ key: name, label: '', color: COLORS[i % COLORS.length]! }],
  };
}

interface Charts {
  main: readonly ChartSpec[];
  rest: readonly ChartSpec[];
}

/** The kind's charts first, then one for each series none of them shows; the same until a new series comes. */
export function useCharts(job: Job, { names }: JobSeries): Charts {
  const page = useSystemPage(job.kind);
  return useMemo(() => chartsOf(page, job.spec, names), [page, job.spec, names]);
}

function chartsOf(page: SystemPage, spec: Job['spec'], names: readonly string[]): Charts {
  const main = [...(page.charts?.(spec as unknown as AnyRecord) ?? [])];
  const covered = new Set(main.flatMap((chart) => chart.series.map((s) => s.key)));
  const rest = names.filter((name) => !covered.has(name)).map(single);
  return { main, rest };
}

const WAITING: Record<string, string> = {
  queued: 'Waiting for a worker',
  starting: 'The worker is starting the job',
  running: 'Waiting for the first point',
  cancelling: 'Stopping',
};

export function waitingText(job: Job, loading: boolean): string {
  if (loading) return 'Loading the points so far';
  return WAITING[job.state] ?? 'The job ended without a point';
}

/** The unit of the x axis: one step of what the job counts, "epoch" of "epochs of DGL" too. */
export function stepName(job: Job): string {
  return job.progress?.unit.split(' ')[0]?.replace(/s$/, '') || 'step';
}
