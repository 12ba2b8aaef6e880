import { api, unwrap } from './client';

/** The stored points of one attempt of a job, thinned by the server. */
export function metricsQuery(id: string, attempt: number, maxPoints: number) {
  return {
    queryKey: ['job-metrics', id, attempt, maxPoints] as const,
    queryFn: () =>
      unwrap(
        api().GET('/api/v1/jobs/{job_id}/metrics', {
          params: { path: { job_id: id }, query: { attempt, max_points: maxPoints } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** What a screen has columns for; the picture is there while the rest is on its way. */
export const SKETCH = 400;
