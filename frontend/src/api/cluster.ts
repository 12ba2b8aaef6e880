import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { useTopic } from './events';
import type { Queue, Worker } from './types';

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/workers'))).items,
});

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/queue'))).items,
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => unwrap(api().GET('/api/v1/health')),
  refetchInterval: 15_000,
});

/** Keeps workers and queues up to date; the shell mounts it once. */
export function useLiveCluster(): void {
  const client = useQueryClient();
  useTopic('cluster', null, ({ type, body }) => {
    if (type !== 'cluster') return;
    const seen = new Date().toISOString();
    const workers = (body.workers as Omit<Worker, 'heartbeat_at'>[]).map((w) => ({
      ...w,
      heartbeat_at: seen,
    }));
    client.setQueryData<Worker[]>(workersQuery.queryKey, workers);
    client.setQueryData<Queue[]>(queuesQuery.queryKey, body.queues as Queue[]);
  });
}
