import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { isFinished } from '@/api/job-events';
import type { Comparison } from './runs';

const LIVE_MS = 2000;
// Few runs are drawn finely, many coarsely: the whole picture stays about as heavy.
const ALL_POINTS = 24_000;
const FINEST = 1000;
const COARSEST = 120;

export function pointsFor(runs: number): number {
  return Math.max(COARSEST, Math.min(FINEST, Math.floor(ALL_POINTS / Math.max(1, runs))));
}

function moving(comparison: Comparison | undefined): boolean {
  return comparison?.jobs.some((job) => !isFinished(job.state)) ?? false;
}

/** The runs side by side; read again while one of them is not done. */
export function useComparison(ids: readonly string[]) {
  return useQuery({
    queryKey: ['job-comparison', ids] as const,
    queryFn: () =>
      unwrap(api().GET('/api/v1/job-comparisons', { params: { query: { jobs: ids.join(',') } } })),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (moving(query.state.data) ? LIVE_MS : false),
  });
}

/** Some series of the runs, down-sampled by the server; read again while a run is not done. */
export function useManySeries(ids: readonly string[], names: readonly string[], live: boolean) {
  return useQuery({
    queryKey: ['job-series', ids, names] as const,
    queryFn: async () => {
      const query = { jobs: ids.join(','), name: [...names], max_points: pointsFor(ids.length) };
      return (await unwrap(api().GET('/api/v1/job-series', { params: { query } }))).items;
    },
    enabled: ids.length > 0 && names.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: live ? LIVE_MS : false,
  });
}

export { moving };
