import { setFetch } from './client';
import type { Job } from './types';

/** A job to test with; every key is there, as the API promises. */
export function job(changes: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    kind: 'toy',
    name: 'Toy',
    state: 'queued',
    state_reason: '',
    attempt: 1,
    spec: { kind: 'toy' } as unknown as Job['spec'],
    result: null,
    actions: [],
    progress: null,
    latest_metrics: {},
    device: 'cpu',
    worker: null,
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    last_event_id: 1,
    labels: {},
    ...changes,
  };
}

type Answer = { status?: number; body: unknown } | ((request: Request) => Promise<Response> | Response);

/**
 * Answers requests from a table of "METHOD /path" (query left out); an unknown one is a 404 problem, as on the server.
 * Returns the requests made.
 */
export function answer(table: Record<string, Answer>): Request[] {
  const made: Request[] = [];
  setFetch(async (input) => {
    const request = input as Request;
    made.push(request.clone());
    const entry = table[`${request.method} ${new URL(request.url).pathname}`];
    if (typeof entry === 'function') return entry(request);
    const status = entry ? (entry.status ?? 200) : 404;
    const body = entry ? entry.body : { title: 'Not found', detail: 'There is nothing here.', status };
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
  });
  return made;
}
