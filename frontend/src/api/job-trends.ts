import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { isFinished } from './job-events';
import type { Job, Schemas } from './types';

const POINTS = 40;
const TOGETHER_MS = 20;
const MOST_JOBS = 100;
const LIVE_MS = 3000;

interface Waiting {
  jobs: Map<string, ((values: readonly number[]) => void)[]>;
  failed: ((error: unknown) => void)[];
}

const waiting = new Map<string, Waiting>();

async function ask(name: string, jobs: readonly string[]): Promise<Map<string, Schemas['JobSeries']>> {
  const query = { jobs: jobs.join(','), name: [name], max_points: POINTS };
  const { items } = await unwrap(api().GET('/api/v1/job-series', { params: { query } }));
  return new Map(items.map((item) => [item.job_id, item]));
}

async function send(name: string): Promise<void> {
  const batch = waiting.get(name);
  if (!batch) return;
  waiting.delete(name);
  try {
    const found = await ask(name, [...batch.jobs.keys()]);
    for (const [job, answers] of batch.jobs) {
      const values = (found.get(job)?.values ?? []).filter((value) => value !== null);
      for (const answer of answers) answer(values);
    }
  } catch (error) {
    for (const fail of batch.failed) fail(error);
  }
}

/** A few points of a series of a job; rows that ask in one moment ask together. */
function trendOf(job: string, name: string): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    let batch = waiting.get(name);
    if (!batch) {
      batch = { jobs: new Map(), failed: [] };
      waiting.set(name, batch);
      setTimeout(() => void send(name), TOGETHER_MS);
    }
    batch.jobs.set(job, [...(batch.jobs.get(job) ?? []), resolve]);
    batch.failed.push(reject);
    // The next row starts a batch of its own.
    if (batch.jobs.size >= MOST_JOBS) void send(name);
  });
}

/** A few points of one series for a table row; live while the job runs. */
export function useTrend(job: Job, name: string, wanted: boolean): readonly number[] {
  const query = useQuery({
    queryKey: ['job-trend', job.id, job.attempt, name] as const,
    queryFn: () => trendOf(job.id, name),
    enabled: wanted && name !== '' && job.state !== 'queued',
    staleTime: isFinished(job.state) ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: isFinished(job.state) ? false : LIVE_MS,
  });
  return query.data ?? [];
}
