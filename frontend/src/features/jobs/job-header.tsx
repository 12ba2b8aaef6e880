import { notifications } from '@mantine/notifications';
import IconShare from '@tabler/icons-react/icons/IconShare2';
import { useQuery } from '@tanstack/react-query';
import { systemsQuery } from '@/api/catalog';
import { workersQuery } from '@/api/cluster';
import { isFinished } from '@/api/job-events';
import type { Job } from '@/api/types';
import { copyText } from '@/ui/clipboard';
import { clock, count, duration, sentence } from '@/ui/format';
import { useChips } from '@/ui/job/cells';
import { eta, ProgressMeter, showsMeter, standing } from '@/ui/job/progress';
import { useNow } from '@/ui/now';
import { Status } from '@/ui/status';
import { useSystemPage } from '@/ui/system-page';
import { JobActions, JobCopyAs } from './actions';

async function share(): Promise<void> {
  const done = await copyText(location.href);
  notifications.show(
    done ? { message: 'Link copied' } : { message: `Copy this address: ${location.href}`, autoClose: 15_000 },
  );
}

function Place({ job }: { job: Job }) {
  const { data: workers } = useQuery(workersQuery);
  const host = workers?.find((worker) => worker.id === job.worker)?.host ?? job.worker;
  return (
    <>
      <span className="text-3 nowrap desk-only">
        {job.device.toUpperCase()}
        {host ? ` on ${host}` : ''}
      </span>
      {job.started_at && (
        <span className="text-3 nowrap desk-only" title={new Date(job.started_at).toLocaleString()}>
          started {clock(job.started_at)}
        </span>
      )}
      {job.attempt > 1 && <span className="text-3 nowrap">attempt {job.attempt}</span>}
    </>
  );
}

function Running({ job }: { job: Job }) {
  const now = useNow(1000);
  const { progress } = job;
  const spent = job.started_at ? (now - Date.parse(job.started_at)) / 1000 : 0;
  return (
    <div className="job-standing">
      <ProgressMeter job={job} />
      {progress ? (
        <>
          <span className="nowrap">
            <b>{count(progress.done)}</b>{' '}
            <span className="text-3">
              {progress.total === null ? '' : `of ${count(progress.total)} `}
              {progress.unit}
            </span>
          </span>
          <span className="nowrap text-3">{eta(progress)}</span>
        </>
      ) : (
        <span className="text-3 nowrap">
          {standing(job)}
          {job.started_at ? `, ${duration(Math.max(0, spent))}` : ''}
        </span>
      )}
      <Place job={job} />
    </div>
  );
}

function Facts({ job }: { job: Job }) {
  const summary = useSystemPage(job.kind).summary?.(job) ?? [];
  return (
    <div className="job-standing">
      {job.state === 'succeeded' && <span>{standing(job)}</span>}
      {summary.map(({ label, value }) => (
        <span key={label} className="nowrap">
          <span className="text-3">{label}</span> <b>{value}</b>
        </span>
      ))}
      <Place job={job} />
    </div>
  );
}

/** Name, status, how far, and what may be done. */
export function JobHeader({ job }: { job: Job }) {
  const chips = useChips(job);
  const { data: systems } = useQuery(systemsQuery);
  const kind = systems?.find((system) => system.kind === job.kind)?.title ?? sentence(job.kind);
  return (
    <>
      <header className="job-head">
        <div className="row between wrap">
          <div className="row wrap">
            <h1>{job.name}</h1>
            <Status state={job.state} pill />
            <span className="chip desk-only">{kind}</span>
            {chips.map((chip) => (
              <span key={chip} className="chip desk-only">
                {chip}
              </span>
            ))}
          </div>
          <div className="row desk-only">
            <JobCopyAs job={job} />
            <JobActions job={job} />
            <button type="button" className="btn" onClick={() => void share()}>
              <IconShare size={14} stroke={1.75} />
              Share
            </button>
          </div>
        </div>
        {showsMeter(job) && !isFinished(job.state) ? <Running job={job} /> : <Facts job={job} />}
      </header>
      <div className="job-phone-actions phone-only" data-moving={!isFinished(job.state)}>
        <JobActions job={job} />
      </div>
    </>
  );
}
