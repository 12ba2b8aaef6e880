import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queuesQuery } from '@/api/cluster';
import { useStream } from '@/api/events';
import type { Job, Queue } from '@/api/types';
import { clock, sentence } from '@/ui/format';
import { Note } from '@/ui/states';
import { useSystemPage } from '@/ui/system-page';

function place(queue: Queue, id: string): string {
  const at = queue.next_jobs.indexOf(id);
  if (at === 0) return 'It is next in the queue.';
  return at > 0 ? `${at} ${at === 1 ? 'job is' : 'jobs are'} before it.` : '';
}

function waitingFor(queue: Queue | undefined, job: Job): string {
  const device = job.device.toUpperCase();
  if (!queue || queue.workers === 0)
    return `No worker for ${device} jobs is online. The job starts once one is.`;
  if (queue.busy < queue.slots) return `A worker is about to take it. ${place(queue, job.id)}`;
  return `All ${queue.slots} ${device} slots are busy. ${place(queue, job.id)}`;
}

function Queued({ job }: { job: Job }) {
  const { data } = useQuery(queuesQuery);
  return (
    <Note role="status">
      {waitingFor(
        data?.find((queue) => queue.device === job.device),
        job,
      )}
    </Note>
  );
}

/** The reason comes first: the first line says what went wrong, the rest unfolds. */
function Stopped({ job }: { job: Job }) {
  const [first = '', ...rest] = (job.state_reason || 'No reason was given.').split('\n');
  return (
    <Note tone={job.state === 'failed' ? 'err' : 'warn'} role="alert">
      <b>{sentence(job.state)}.</b> {first}
      {rest.length > 0 && <pre className="job-reason">{rest.join('\n')}</pre>}
    </Note>
  );
}

function Done({ job, tab }: { job: Job; tab: string }) {
  const { done } = useSystemPage(job.kind);
  if (!done || tab === done.tab) return null;
  const action = (
    <Link className="btn primary" to="/jobs/$id" params={{ id: job.id }} search={{ tab: done.tab }}>
      {done.action}
    </Link>
  );
  return (
    <Note tone="ok" role="status" action={action}>
      {done.text}
    </Note>
  );
}

/** Shown while a live job's news does not arrive, so a still curve is not taken for a still job. */
function Silent() {
  const { status, lastEventAt } = useStream();
  if (status !== 'offline' && status !== 'reconnecting') return null;
  const until = lastEventAt === null ? '' : ` Data up to ${clock(new Date(lastEventAt).toISOString())}.`;
  return (
    <Note tone="warn" role="status">
      Reconnecting to the server.{until} Nothing is lost: what happens meanwhile arrives afterwards.
    </Note>
  );
}

/** What there is to know about where the job stands, above everything else. */
export function JobNotices({ job, tab }: { job: Job; tab: string }) {
  if (job.state === 'queued') return <Queued job={job} />;
  if (job.state === 'succeeded') return <Done job={job} tab={tab} />;
  if (job.state === 'failed' || job.state === 'lost' || job.state === 'cancelled')
    return <Stopped job={job} />;
  return <Silent />;
}
