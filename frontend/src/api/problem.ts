/** One thing that is wrong, as the API says it. */
export interface ProblemItem {
  pointer: string;
  code: string;
  message: string;
  hint?: string;
  node_id?: string | null;
  port?: string | null;
  line?: number | null;
  column?: number | null;
}

interface ProblemBody {
  title?: string;
  detail?: string;
  code?: string;
  request_id?: string;
  errors?: ProblemItem[];
}

/** An answer of the API that is not a success (RFC 9457), or no answer at all (status 0). */
export class ApiProblem extends Error {
  readonly title: string;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: ProblemItem[];

  constructor(
    readonly status: number,
    body: ProblemBody,
    requestId: string | null = null,
  ) {
    super(body.detail || body.title || `The server answered ${status}`);
    this.name = 'ApiProblem';
    this.title = body.title ?? 'Request failed';
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id ?? requestId;
    this.errors = body.errors ?? [];
  }
}

/** The problem in a failed answer, whatever shape its body has. */
export function problemFrom(response: Response, body: unknown): ApiProblem {
  const known = typeof body === 'object' && body !== null ? (body as ProblemBody) : {};
  return new ApiProblem(response.status, known, response.headers.get('x-request-id'));
}

export const UNREACHABLE = new ApiProblem(0, {
  title: 'The server does not answer',
  detail: 'The server does not answer. Check that it is running; the page goes on by itself once it is back.',
  code: 'unreachable',
});
