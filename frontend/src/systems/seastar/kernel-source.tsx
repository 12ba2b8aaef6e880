import IconCopy from '@tabler/icons-react/icons/IconCopy';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { Job } from '@/api/types';
import { copyText } from '@/ui/clipboard';
import { Code } from '@/ui/code';
import { ErrorState, Loading } from '@/ui/states';
import type { Kernel } from './types';

// What comes before the entry point is the same in every kernel.
const ENTRY = /extern "C"/;

function sourceQuery(jobId: string, name: string | null) {
  return {
    queryKey: ['job-artifact', jobId, name] as const,
    enabled: name !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      unwrap(
        api().GET('/api/v1/jobs/{job_id}/artifacts/{name}', {
          params: { path: { job_id: jobId, name: name! } },
          parseAs: 'text',
        }),
      ) as Promise<string>,
  };
}

function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => setDone(await copyText(text));
  return (
    <button type="button" className="btn small ghost" onClick={() => void copy()}>
      <IconCopy size={14} />
      {done ? 'Copied' : 'Copy'}
    </button>
  );
}

/** The generated source of the selected kernel, and what was fused into it. */
export function KernelSource({ job, kernel }: { job: Job; kernel: Kernel }) {
  const query = useQuery(sourceQuery(job.id, kernel.source));
  return (
    <section className="card clip source" aria-label={`Source of ${kernel.name}`}>
      <div className="card-head">
        <h2 className="mono">{kernel.name}</h2>
        <span className="caption ellipsis">{kernel.node_id ?? kernel.phase}</span>
        <span className="push">{query.data && <CopyButton text={query.data} />}</span>
      </div>
      <div className="source-fused">
        <span className="caption">Fused from</span>
        {kernel.fused_from.map((op, i) => (
          <span key={`${i}-${op}`} className="chip">
            {op}
          </span>
        ))}
      </div>
      {kernel.source === null && (
        <p className="caption source-none">
          No kernel was generated for this: it runs in the tensor library.
        </p>
      )}
      {kernel.source !== null && query.isPending && <Loading rows={8} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data && <Code text={query.data} label={`Source of ${kernel.name}`} start={ENTRY} />}
    </section>
  );
}
