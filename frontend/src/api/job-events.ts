import type { ServerEvent } from './event-hub';
import type { Job, Schemas } from './types';

const FINISHED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'lost']);
const MOVING: ReadonlySet<string> = new Set(['starting', 'running', 'cancelling']);

export function isFinished(state: string): boolean {
  return FINISHED.has(state);
}

/** Taken by a worker and not done. */
export function isMoving(state: string): boolean {
  return MOVING.has(state);
}

export interface MetricPoint {
  step: number;
  values: Record<string, number | null>;
}

/** What the events of the journal carry, beside what all of them do. */
interface Bodies {
  'job.status': Schemas['JobStatusEvent'];
  'job.progress': Schemas['JobProgressEvent'];
  'job.metrics': Schemas['JobMetricsEvent'];
}

export function pointsOf(event: ServerEvent): readonly MetricPoint[] {
  return event.type === 'job.metrics' ? (event.body as unknown as Bodies['job.metrics']).points : [];
}

const PATCHES: { [T in keyof Bodies]: (job: Job, body: Bodies[T]) => Partial<Job> } = {
  'job.status': (job, { state, reason, attempt, worker }) => ({
    state,
    state_reason: reason,
    attempt,
    worker: worker ?? job.worker,
    progress: attempt === job.attempt ? job.progress : null,
  }),
  'job.progress': (_, { done, total, unit, eta_s }) => ({ progress: { done, total, unit, eta_s } }),
  'job.metrics': (job, { points }) => ({
    latest_metrics: Object.assign({ ...job.latest_metrics }, ...points.map((point) => point.values)),
  }),
};

function patchOf(job: Job, event: ServerEvent): Partial<Job> {
  const patch = PATCHES[event.type as keyof Bodies] as
    | ((job: Job, body: unknown) => Partial<Job>)
    | undefined;
  return patch?.(job, event.body) ?? {};
}

/** The job after an event. Events it already knows change nothing, so a replay is harmless. */
export function applyEvent(job: Job, event: ServerEvent): Job {
  if (event.jobId !== job.id || event.id <= job.last_event_id) return job;
  return { ...job, ...patchOf(job, event), last_event_id: event.id };
}

/** Of two readings of one job the later one: an answer overtaken by the stream never turns time back. */
export function newer(known: Job | undefined, read: Job): Job {
  return known && known.last_event_id > read.last_event_id ? known : read;
}
