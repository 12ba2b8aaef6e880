// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from './event-hub';
import { applyEvent, newer } from './job-events';
import { job } from './testing';

function event(id: number, type: string, body: Record<string, unknown>): ServerEvent {
  return { id, type, topic: 'job:job_1', jobId: 'job_1', at: '', body };
}

describe('a job and its events', () => {
  it('moves with status, progress and metrics', () => {
    let now = job({ last_event_id: 10, state: 'queued' });
    now = applyEvent(now, event(11, 'job.status', { state: 'running', reason: '', attempt: 1, worker: 'w' }));
    now = applyEvent(now, event(12, 'job.progress', { done: 3, total: 9, unit: 'epochs', eta_s: 2 }));
    now = applyEvent(
      now,
      event(13, 'job.metrics', {
        points: [
          { step: 1, values: { loss: 2, acc: 0.1 } },
          { step: 2, values: { loss: 1 } },
        ],
      }),
    );
    expect([now.state, now.worker, now.progress?.done, now.latest_metrics, now.last_event_id]).toEqual([
      'running',
      'w',
      3,
      { loss: 1, acc: 0.1 },
      13,
    ]);
  });

  it('is not changed by events it has seen, nor by those of another job', () => {
    const now = job({ last_event_id: 10, state: 'running' });
    expect(applyEvent(now, event(10, 'job.status', { state: 'queued', attempt: 1 }))).toBe(now);
    expect(
      applyEvent(now, { ...event(11, 'job.status', { state: 'failed', attempt: 1 }), jobId: 'job_2' }),
    ).toBe(now);
  });

  it('starts its progress anew with the next attempt', () => {
    const now = job({ attempt: 1, progress: { done: 5, total: 9, unit: 'epochs', eta_s: null } });
    expect(applyEvent(now, event(11, 'job.status', { state: 'queued', attempt: 2 })).progress).toBeNull();
  });

  it('is never replaced by an older reading', () => {
    const known = job({ last_event_id: 12 });
    const late = job({ last_event_id: 11 });
    expect([newer(known, late), newer(late, known), newer(undefined, late)]).toEqual([known, known, late]);
  });
});
