import createClient from 'openapi-fetch';
import { problemFrom, UNREACHABLE } from './problem';
import type { paths } from './schema.gen';

export type Client = ReturnType<typeof createClient<paths>>;

let current: Client = build();

function build(fetcher?: typeof fetch): Client {
  return createClient<paths>({
    baseUrl: `${location.origin}/`,
    fetch: (request: Request) => (fetcher ?? globalThis.fetch)(request),
  });
}

/** The one way to the API. Types come from the generated schema only. */
export function api(): Client {
  return current;
}

/** Tests put their own `fetch` here; no call replaces any other part. */
export function setFetch(fetcher: typeof fetch): void {
  current = build(fetcher);
}

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer; throws ApiProblem for every other one. */
export async function unwrap<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw UNREACHABLE;
  });
  if (!response.ok) throw problemFrom(response, error);
  return data as T;
}
