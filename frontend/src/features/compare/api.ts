import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useBatched } from '@/api/batched';
import { api, unwrap } from '@/api/client';
import type { ServerEvent } from '@/api/event-hub';
import { type Followed, useTopics } from '@/api/events';
import { isFinished, pointsOf } from '@/api/job-events';
import { extended, type LivePoints, NONE, withEvents } from './live-points';
import type { Series } from './overlay';
import type { Comparison } from './runs';

const COMPARISON = 'job-comparison';
const SERIES = 'job-series';
// Curves follow their events; the newest values in the table are read again at this pace.
const TABLE_MS = 5000;
const CURVES_MS = 500;
// Few runs are drawn finely, many coarsely: the whole picture stays about as heavy.
const ALL_POINTS = 24_000;
const FINEST = 1000;
const COARSEST = 120;

export function pointsFor(runs: number): number {
  return Math.max(COARSEST, Math.min(FINEST, Math.floor(ALL_POINTS / Math.max(1, runs))));
}

export function readComparison(ids: readonly string[]) {
  return unwrap(api().GET('/api/v1/job-comparisons', { params: { query: { jobs: ids.join(',') } } }));
}

export async function readSeries(ids: readonly string[], names: readonly string[]) {
  const query = { jobs: ids.join(','), name: [...names], max_points: pointsFor(ids.length) };
  return (await unwrap(api().GET('/api/v1/job-series', { params: { query } }))).items;
}

/** The runs side by side. */
export function useComparison(ids: readonly string[]) {
  return useQuery({
    queryKey: [COMPARISON, ids] as const,
    queryFn: () => readComparison(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** Some series of the runs, down-sampled by the server, and what came since. */
export function useManySeries(ids: readonly string[], names: readonly string[], live: LivePoints) {
  const query = useQuery({
    queryKey: [SERIES, ids, names] as const,
    queryFn: () => readSeries(ids, names),
    enabled: ids.length > 0 && names.length > 0,
    placeholderData: keepPreviousData,
  });
  const series: readonly Series[] = useMemo(
    () => (query.data ?? []).map((one) => extended(one, live)),
    [query.data, live],
  );
  return { ...query, series };
}

/** Each run with its points, from where it was read on; one that is done only says what happens to it from now on. */
function followed({ jobs }: Comparison): Followed[] {
  return jobs.map((job) => [`job:${job.id}`, isFinished(job.state) ? null : job.last_event_id]);
}

/** Whether the first points of a series are among the events: what had none is not among the series that were read. */
function beginsIn(
  events: readonly ServerEvent[],
  read: readonly Series[],
  names: readonly string[],
): boolean {
  const known = new Set(read.map((one) => `${one.job_id} ${one.name}`));
  return events.some((event) =>
    pointsOf(event).some(({ values }) =>
      names.some((name) => name in values && !known.has(`${event.jobId} ${name}`)),
    ),
  );
}

/** Calls `act` soon, and no more often than every `ms`. */
function useSlowly(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, ms);
  };
}

/** Follows the runs that are compared: their new points, and their figures read again when something happened to them. */
export function useLiveRuns(ids: readonly string[], comparison: Comparison): LivePoints {
  const client = useQueryClient();
  const [live, setLive] = useState(NONE);
  const againTable = () => void client.invalidateQueries({ queryKey: [COMPARISON, ids] });
  const againSeries = () => void client.invalidateQueries({ queryKey: [SERIES, ids] });
  const againTableLater = useSlowly(againTable, TABLE_MS);
  const addPoints = useBatched((events: readonly ServerEvent[]) => {
    setLive((known) => withEvents(known, events));
    for (const [key, data] of client.getQueriesData<readonly Series[]>({ queryKey: [SERIES, ids] })) {
      if (data && beginsIn(events, data, key[2] as readonly string[])) againSeries();
    }
  }, CURVES_MS);
  useTopics(followed(comparison), (event) => {
    if (event.type === 'resync' || event.type === 'job.status') {
      // Another attempt has other curves.
      againTable();
      againSeries();
    } else {
      if (event.type === 'job.metrics') addPoints(event);
      againTableLater();
    }
  });
  return live;
}
