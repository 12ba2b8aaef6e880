import type { ServerEvent } from '@/api/event-hub';
import { type MetricPoint, pointsOf } from '@/api/job-events';
import type { Series } from './overlay';

/** Points that came while the page is open, by run; those of an earlier attempt are gone. */
export type LivePoints = ReadonlyMap<string, { attempt: number; points: readonly MetricPoint[] }>;

export const NONE: LivePoints = new Map();

/** What is known after some more events. */
export function withEvents(known: LivePoints, events: readonly ServerEvent[]): LivePoints {
  const next = new Map(known);
  for (const event of events) {
    if (event.jobId === null) continue;
    const attempt = Number(event.body.attempt ?? 1);
    const before = next.get(event.jobId);
    const points = before?.attempt === attempt ? before.points : [];
    const last = points.at(-1)?.step ?? Number.NEGATIVE_INFINITY;
    // What is replayed after runs were added is known already.
    const later = pointsOf(event).filter(({ step }) => step > last);
    next.set(event.jobId, { attempt, points: [...points, ...later] });
  }
  return next;
}

/** A series as the server gave it, and what came after its last step. */
export function extended(series: Series, live: LivePoints): Series {
  const found = live.get(series.job_id);
  const last = series.steps.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (found?.attempt !== series.attempt) return series;
  const later = found.points.filter(({ step, values }) => step > last && series.name in values);
  if (later.length === 0) return series;
  return {
    ...series,
    steps: [...series.steps, ...later.map(({ step }) => step)],
    values: [...series.values, ...later.map(({ values }) => values[series.name] ?? null)],
    total: series.total + later.length,
  };
}
