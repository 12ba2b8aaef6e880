import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '@/api/event-hub';
import { extended, NONE, withEvents } from './live-points';

const event = (jobId: string, attempt: number, ...steps: number[]): ServerEvent => ({
  id: 1,
  type: 'job.metrics',
  topic: 'jobs',
  jobId,
  at: '',
  body: { attempt, points: steps.map((step) => ({ step, values: { loss: 1 / step } })) },
});
const series = (steps: number[], attempt = 1) => ({
  ...{ job_id: 'a', name: 'loss', attempt, total: 100 + steps.length },
  steps,
  values: steps.map((step) => 1 / step),
});

describe('points that come while runs are compared', () => {
  it('continue the series of their run, each step once, whatever the server had sent by then', () => {
    const live = withEvents(NONE, [event('a', 1, 3, 4), event('b', 1, 9), event('a', 1, 5)]);
    for (const known of [series([1, 2]), series([1, 2, 3]), series([1, 2, 3, 4, 5])]) {
      const drawn = extended(known, live);
      expect(drawn.steps).toEqual([1, 2, 3, 4, 5]);
      expect(drawn.values).toEqual([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]);
      expect(drawn.total).toBe(105);
    }
  });

  it('are known once, however often they are replayed', () => {
    const once = withEvents(NONE, [event('a', 1, 3, 4)]);
    const twice = withEvents(once, [event('a', 1, 3), event('a', 1, 4, 5)]);
    expect(extended(series([1, 2]), twice).steps).toEqual([1, 2, 3, 4, 5]);
  });

  it('of another attempt or series are not mixed in', () => {
    const live = withEvents(NONE, [event('a', 1, 3), event('a', 2, 1)]);
    const [first, other] = [series([1, 2]), { ...series([1, 2]), name: 'accuracy' }];
    expect(extended(first, live)).toBe(first);
    expect(extended(other, withEvents(NONE, [event('a', 1, 3)]))).toBe(other);
    expect(extended(series([], 2), live).steps).toEqual([1]);
  });
});
