import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '@/api/client';
import type { Job } from '@/api/types';
import { type FlameFile, slicesOf } from '@/ui/charts/flame';
import { FlameCard } from '@/ui/charts/flame-card';
import { count } from '@/ui/format';
import { ErrorState, Loading, Note } from '@/ui/states';

// More spans than a screen has columns.
const SAMPLES = 3000;

function profileQuery(id: string) {
  return {
    queryKey: ['job-profile', id] as const,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () =>
      (await unwrap(
        api().GET('/api/v1/jobs/{job_id}/profile', {
          params: { path: { job_id: id }, query: { max_samples: SAMPLES } },
        }),
      )) as unknown as FlameFile,
  };
}

/** The profile a job of any kind left as a file. */
export function ProfileFlame({ job }: { job: Job }) {
  const query = useQuery(profileQuery(job.id));
  const root = useMemo(() => (query.data ? slicesOf(query.data) : null), [query.data]);
  if (query.isPending) return <Loading rows={4} label="Loading the profile" />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  const { shown, total } = query.data.asterism;
  return (
    <FlameCard title="Profile" caption="width is time" root={root!} jobId={job.id}>
      {shown < total && (
        <Note tone="warn" role="status">
          Down-sampled on the server: showing {count(shown)} of {count(total)} samples.
        </Note>
      )}
    </FlameCard>
  );
}
