import type { AnyRecord, Job } from '@/api/types';
import { sentence } from '@/ui/format';
import type { ChartSpec, SystemPage } from '@/ui/system-page';

const COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'] as const;

function single(name: string, i: number): ChartSpec {
  return {
    title: sentence(name),
    caption: name,
    series: [{ key: name, label: '', color: COLORS[i % COLORS.length]! }],
  };
}

/** The kind's charts first, then one for each series none of them shows. */
export function chartsOf(
  page: SystemPage,
  job: Job,
  names: readonly string[],
): { main: ChartSpec[]; rest: ChartSpec[] } {
  const main = [...(page.charts?.(job.spec as unknown as AnyRecord) ?? [])];
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
