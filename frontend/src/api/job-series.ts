import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { SeriesBuffer } from '@/ui/charts/series-buffer';
import { api, unwrap } from './client';
import { useTopic } from './events';
import { pointsOf } from './job-events';
import type { Job } from './types';

function metricsQuery(id: string, attempt: number, maxPoints: number) {
  return {
    queryKey: ['job-metrics', id, attempt, maxPoints] as const,
    queryFn: () =>
      unwrap(
        api().GET('/api/v1/jobs/{job_id}/metrics', {
          params: { path: { job_id: id }, query: { attempt, max_points: maxPoints } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

export interface JobSeries {
  buffer: SeriesBuffer;
  loading: boolean;
  error: unknown;
  /** How many points the server has beyond those it sent. */
  thinned: number;
  /** Names in the order they first came; changes when a new one comes. */
  names: readonly string[];
}

/** The metric series of a job's current attempt: the stored ones first, then the live ones. */
export function useJobSeries(job: Job, maxPoints = 2000): JobSeries {
  const { id, attempt } = job;
  const client = useQueryClient();
  const buffer = useMemo(() => new SeriesBuffer(), [id, attempt]);
  const options = metricsQuery(id, attempt, maxPoints);
  const query = useQuery(options);
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    const note = () => setNames((known) => (known.length === buffer.names.length ? known : buffer.names));
    setNames(buffer.names);
    return buffer.subscribe(note);
  }, [buffer]);
  useEffect(() => {
    if (query.data) buffer.add(query.data.points);
  }, [buffer, query.data]);
  useTopic(`job:${id}`, query.data?.last_event_id, (event) => {
    if (event.type === 'resync') void client.invalidateQueries({ queryKey: options.queryKey });
    else if (event.body.attempt === attempt) buffer.add(pointsOf(event));
  });

  const thinned = query.data ? query.data.total - query.data.points.length : 0;
  return { buffer, loading: query.isPending, error: query.error, thinned, names };
}
