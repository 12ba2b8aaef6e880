import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useBatched } from './batched';
import { api, unwrap } from './client';
import type { ServerEvent } from './event-hub';
import { useTopic } from './events';
import { applyEvent, newer } from './job-events';
import { randomKey } from './key';
import type { paths } from './schema.gen';
import type { Job, JobAction, Schemas } from './types';

export interface JobFilter {
  state?: string;
  kind?: string;
  q?: string;
  label?: string[];
  sort?: JobSort;
}

type JobSort = NonNullable<NonNullable<paths['/api/v1/jobs']['get']['parameters']['query']>['sort']>;

type JobPage = Schemas['JobList'];
const ANY_LIST = ['jobs'] as const;

export function readJob(id: string): Promise<Job> {
  return unwrap(api().GET('/api/v1/jobs/{job_id}', { params: { path: { job_id: id } } }));
}

export function jobQuery(id: string, client: QueryClient) {
  const queryKey = ['job', id] as const;
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const read = await readJob(id);
      return newer(client.getQueryData<Job>(queryKey), read);
    },
  });
}

export function jobsQuery(filter: JobFilter = {}, limit = 50) {
  const query = { ...filter, limit, include: 'total' as const };
  return infiniteQueryOptions({
    queryKey: [...ANY_LIST, query] as const,
    queryFn: ({ pageParam }) =>
      unwrap(api().GET('/api/v1/jobs', { params: { query: { ...query, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: JobPage) => page.next_cursor ?? undefined,
  });
}

/** One job, kept up to date by its events. */
export function useJob(id: string) {
  const client = useQueryClient();
  const options = jobQuery(id, client);
  const query = useQuery(options);
  const apply = useBatched((events: readonly ServerEvent[]) =>
    client.setQueryData<Job>(options.queryKey, (job) => job && events.reduce(applyEvent, job)),
  );
  useTopic(`job:${id}`, query.data?.last_event_id, (event) => {
    if (event.type !== 'resync') apply(event);
    if (event.type === 'job.status' || event.type === 'end' || event.type === 'resync') {
      // What may be done next, times and the result are the server's to say.
      void client.invalidateQueries({ queryKey: options.queryKey });
    }
  });
  return query;
}

function patchLists(client: QueryClient, event: ServerEvent): boolean {
  let known = false;
  client.setQueriesData<InfiniteData<JobPage>>({ queryKey: ANY_LIST }, (data) => {
    if (!data) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((job) => {
        if (job.id !== event.jobId) return job;
        known = true;
        return applyEvent(job, event);
      }),
    }));
    return { ...data, pages };
  });
  return known;
}

let refresh: ReturnType<typeof setTimeout> | null = null;

/** Lists are read again shortly after something they show changed place, however many events say so. */
function refreshLists(client: QueryClient): void {
  if (refresh !== null) return;
  refresh = setTimeout(() => {
    refresh = null;
    void client.invalidateQueries({ queryKey: ANY_LIST });
  }, 250);
}

/** Keeps every list of jobs up to date; the shell mounts it once. */
export function useLiveJobLists(): void {
  const client = useQueryClient();
  useTopic('jobs', null, (event) => {
    const known = event.type !== 'resync' && patchLists(client, event);
    if (!known || event.type !== 'job.progress') refreshLists(client);
  });
}

const ACTIONS = {
  cancel: '/api/v1/jobs/{job_id}/cancel',
  retry: '/api/v1/jobs/{job_id}/retry',
  clone: '/api/v1/jobs/{job_id}/clone',
} as const;

export async function act(id: string, action: JobAction): Promise<Job | null> {
  const params = { path: { job_id: id } };
  if (action === 'delete') {
    await unwrap(api().DELETE('/api/v1/jobs/{job_id}', { params }));
    return null;
  }
  return (await unwrap(
    api().POST(ACTIONS[action], { params, headers: { 'Idempotency-Key': randomKey() } }),
  )) as Job;
}

/** Does what the server's `actions` allow. */
export function useJobAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: JobAction }) => act(id, action),
    onSuccess: (job) => {
      if (job) client.setQueryData<Job>(['job', job.id], (known) => newer(known, job));
      void client.invalidateQueries({ queryKey: ANY_LIST });
    },
  });
}

export function startJob(spec: object, key: string, labels?: Record<string, string>): Promise<Job> {
  const body = { spec: spec as Schemas['JobCreate']['spec'], labels };
  return unwrap(api().POST('/api/v1/jobs', { headers: { 'Idempotency-Key': key }, body }));
}

/** Starts a job. One key per form opening: a double click starts one job. */
export function useCreateJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ spec, key }: { spec: object; key: string }) => startJob(spec, key),
    onSuccess: (job) => {
      client.setQueryData(['job', job.id], job);
      void client.invalidateQueries({ queryKey: ANY_LIST });
    },
  });
}
