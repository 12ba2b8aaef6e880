import IconCopy from '@tabler/icons-react/icons/IconCopy';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { AnyRecord, Job } from '@/api/types';
import { copyText } from '@/ui/clipboard';
import { Code } from '@/ui/code';
import { bytes, number, percent, seconds } from '@/ui/format';
import { ErrorState, Loading } from '@/ui/states';
import { bandwidthShare, floorShare, operations } from './profile-model';
import { type Kernel, type Profile, specOf } from './types';

// What comes before the entry point is the same in every kernel.
const ENTRY = /extern "C"/;

const VIEWS = { code: 'Generated code', ir: 'IR', program: 'Vertex program' } as const;
type View = keyof typeof VIEWS;

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

/** What one kernel does in an epoch, beside what the machine could do. */
function KernelFacts({ kernel, profile }: { kernel: Kernel; profile: Profile }) {
  if (kernel.bound === null) return null;
  const share = bandwidthShare(kernel, profile);
  const reached = floorShare(kernel);
  return (
    <dl className="facts kernel-facts">
      <dt>Time</dt>
      <dd>{seconds(kernel.time_s)}</dd>
      <dt>Moved</dt>
      <dd>
        {bytes(kernel.bytes)} at {number(kernel.gb_per_s, 3)} GB/s
        {share !== null && `, ${percent(share, 0)} of ${number(profile.bandwidth_gb_per_s, 3)}`}
      </dd>
      <dt>At least</dt>
      <dd>
        {bytes(kernel.least_bytes)}, {operations(kernel.operations)}
      </dd>
      <dt>Floor</dt>
      <dd>
        {seconds(kernel.floor_s)} by {kernel.bound}
        {reached !== null && `; ${number(1 / reached, 3)}× of it`}
      </dd>
    </dl>
  );
}

function Body({ job, kernel, profile, view }: { job: Job; kernel: Kernel; profile: Profile; view: View }) {
  const query = useQuery(sourceQuery(job.id, view === 'code' ? kernel.source : null));
  const label = `${view === 'code' ? 'Source' : VIEWS[view]} of ${kernel.name}`;
  if (view === 'ir') return <Code text={kernel.ir.join('\n')} label={label} />;
  if (view === 'program') {
    const text = profile.programs.find((program) => program.node_id === kernel.node_id)?.text ?? '';
    return <Code text={text} label={label} marked={kernel.lines} />;
  }
  if (kernel.source === null)
    return (
      <p className="caption source-none">No kernel was generated for this: it runs in the tensor library.</p>
    );
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return query.data ? <Code text={query.data} label={label} start={ENTRY} /> : <Loading rows={8} />;
}

/** Views there is something to see in. */
function viewsOf(kernel: Kernel, profile: Profile): View[] {
  const own = profile.programs.some((program) => program.node_id === kernel.node_id);
  return [
    'code',
    ...(kernel.ir.length > 0 ? (['ir'] as const) : []),
    ...(own && kernel.lines.length > 0 ? (['program'] as const) : []),
  ];
}

/** The selected kernel: its figures, and what it is in code, in the IR and in the vertex program. */
export function KernelPanel({ job, kernel, profile }: { job: Job; kernel: Kernel; profile: Profile }) {
  const [wanted, setWanted] = useState<View>('code');
  const source = useQuery(sourceQuery(job.id, kernel.source));
  const views = viewsOf(kernel, profile);
  const view = views.includes(wanted) ? wanted : 'code';
  return (
    <section className="card clip source" aria-label={`Source of ${kernel.name}`}>
      <div className="card-head">
        <h2 className="mono">{kernel.name}</h2>
        <NodeLink kernel={kernel} job={job} />
        <span className="push">{view === 'code' && source.data && <CopyButton text={source.data} />}</span>
      </div>
      <KernelFacts kernel={kernel} profile={profile} />
      <div className="source-fused">
        <span className="caption">Fused from</span>
        {kernel.fused_from.map((op, i) => (
          <span key={`${i}-${op}`} className="chip">
            {op}
          </span>
        ))}
      </div>
      {views.length > 1 && (
        <fieldset className="segments bare source-views" aria-label="What is shown of the kernel">
          {views.map((name) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => setWanted(name)}>
              {VIEWS[name]}
            </button>
          ))}
        </fieldset>
      )}
      <Body job={job} kernel={kernel} profile={profile} view={view} />
    </section>
  );
}

/** The layer a kernel belongs to; it leads to the model where the job names one. */
export function NodeLink({ kernel, job }: { kernel: Pick<Kernel, 'node_id' | 'phase'>; job: Job }) {
  const { model_ref, model } = specOf(job.spec as unknown as AnyRecord);
  if (!kernel.node_id) return <span className="caption">{kernel.phase}</span>;
  const title = model.nodes?.find((node) => node.id === kernel.node_id)?.title || kernel.node_id;
  if (!model_ref) return <span>{title}</span>;
  return (
    <Link to="/models/$id" params={{ id: model_ref.model_id }} search={{ node: kernel.node_id }}>
      {title}
    </Link>
  );
}
