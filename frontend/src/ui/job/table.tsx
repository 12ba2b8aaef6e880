import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Job } from '@/api/types';
import { useNow } from '@/ui/now';
import { Status } from '@/ui/status';
import { AgeCell, JobLink, KindCell, LatestCell, ProgressCell, TrendCell } from './cells';
import { ProgressMeter, showsMeter, standing } from './progress';

interface Column {
  head: string;
  /** Left out of the short table. */
  wide?: boolean;
  num?: boolean;
  cell: (job: Job, now: number) => ReactNode;
}

const COLUMNS: readonly Column[] = [
  { head: 'Job', cell: (job) => <JobLink job={job} /> },
  { head: 'Kind', wide: true, cell: (job) => <KindCell job={job} /> },
  { head: 'Status', cell: (job) => <Status state={job.state} /> },
  { head: 'Progress', cell: (job) => <ProgressCell job={job} /> },
  { head: 'Trend', cell: (job) => <TrendCell job={job} /> },
  { head: 'Latest', cell: (job) => <LatestCell job={job} /> },
  { head: 'Device', cell: (job) => <span className="text-2">{job.device.toUpperCase()}</span> },
  { head: 'Age', num: true, cell: (job, now) => <AgeCell job={job} now={now} /> },
];

interface JobTableProps {
  jobs: readonly Job[];
  short?: boolean;
  actions?: (job: Job) => ReactNode;
}

/** Jobs as rows; as cards on a phone. */
export function JobTable({ jobs, short = false, actions }: JobTableProps) {
  const now = useNow(5000);
  const columns = short ? COLUMNS.filter((column) => !column.wide) : COLUMNS;
  return (
    <>
      <div className="table-scroll desk-only">
        <table className="table jobs">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.head} className={column.num ? 'num' : undefined}>
                  {column.head}
                </th>
              ))}
              {actions && (
                <th>
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                {columns.map((column) => (
                  <td key={column.head} style={column.num ? { textAlign: 'right' } : undefined}>
                    {column.cell(job, now)}
                  </td>
                ))}
                {actions && <td className="job-actions">{actions(job)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="phone-only">
        {jobs.map((job) => (
          <JobCard key={job.id} job={job} />
        ))}
      </div>
    </>
  );
}

function JobCard({ job }: { job: Job }) {
  return (
    <Link className="job-card" to="/jobs/$id" params={{ id: job.id }}>
      <span className="row">
        <b className="ellipsis">{job.name}</b>
        <Status state={job.state} />
      </span>
      <span className="row">
        <span className="caption ellipsis">{standing(job)}</span>
        <TrendCell job={job} />
      </span>
      {showsMeter(job) && <ProgressMeter job={job} />}
    </Link>
  );
}
