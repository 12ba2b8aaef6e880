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

/** A request of the API as it would be sent. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, from the root of the site. */
  readonly path: string;
  /** Parsed JSON; undefined where nothing is sent. */
  readonly body: unknown;
  readonly ifMatch: string | null;
}

/**
 * The request an API call would send, without sending it. `call` is the function the page itself uses; what it asks the
 * client for first, before it waits for anything, is what is written down.
 */
export function requestOf(call: () => unknown): Promise<ApiRequest> {
  return new Promise((resolve, reject) => {
    const real = current;
    current = build(async (request) => {
      resolve(await written(request as Request));
      return new Promise<Response>(() => undefined);
    });
    try {
      call();
    } catch (error) {
      reject(error);
    } finally {
      current = real;
    }
  });
}

async function written(request: Request): Promise<ApiRequest> {
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  return {
    method: request.method,
    path: pathname + search,
    body: text === '' ? undefined : JSON.parse(text),
    ifMatch: request.headers.get('If-Match'),
  };
}
