import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { SeriesBuffer } from '@/ui/charts/series-buffer';
import { useTopic } from './events';
import { pointsOf } from './job-events';
import { metricsQuery, SKETCH } from './job-metrics';
import type { Job } from './types';

export interface JobSeries {
  buffer: SeriesBuffer;
  /** Nothing is known yet. */
  loading: boolean;
  error: unknown;
  /** How many points the server has beyond those it sent. */
  thinned: number;
  /** More of them are on their way. */
  more: boolean;
  /** Names in the order they first came; changes when a new one comes. */
  names: readonly string[];
}

/** The metric series of a job's current attempt: a few of the stored points, then more of them, and the live ones. */
export function useJobSeries(job: Job, maxPoints = 2000): JobSeries {
  const { id, attempt } = job;
  const client = useQueryClient();
  const buffer = useMemo(() => new SeriesBuffer(), [id, attempt]);
  const sketch = useQuery(metricsQuery(id, attempt, SKETCH));
  const rest = sketch.data !== undefined && sketch.data.total > sketch.data.points.length;
  const whole = useQuery({ ...metricsQuery(id, attempt, maxPoints), enabled: rest });
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    const note = () => setNames((known) => (known.length === buffer.names.length ? known : buffer.names));
    setNames(buffer.names);
    return buffer.subscribe(note);
  }, [buffer]);
  useEffect(() => {
    for (const { data } of [sketch, whole]) if (data) buffer.add(data.points);
  }, [buffer, sketch.data, whole.data]);
  useTopic(`job:${id}`, sketch.data?.last_event_id, (event) => {
    if (event.type === 'resync') void client.invalidateQueries({ queryKey: ['job-metrics', id, attempt] });
    else if (event.body.attempt === attempt) buffer.add(pointsOf(event));
  });

  const read = whole.data ?? sketch.data;
  return {
    buffer,
    // An answer is in the buffer a moment after it came.
    loading: sketch.isPending || (buffer.length === 0 && (sketch.data?.points.length ?? 0) > 0),
    error: sketch.error ?? whole.error,
    thinned: read ? read.total - read.points.length : 0,
    more: rest && whole.isPending,
    names,
  };
}
