import type { ReactNode } from 'react';
import type { Job } from '@/api/types';
import { Status } from '@/ui/status';
import {
  AgeCell,
  DurationCell,
  JobLink,
  KindCell,
  LabelsCell,
  LatestCell,
  ProgressCell,
  TrendCell,
} from './cells';
import { standing } from './progress';

export interface Column {
  id: string;
  head: string;
  /** Left out of the short table. */
  wide?: boolean;
  /** Left out until it is asked for. */
  extra?: boolean;
  num?: boolean;
  /** The server's name of the order by it. */
  sort?: string;
  cell: (job: Job, now: number) => ReactNode;
  /** Its cells in an exported table; a column without it is a picture. */
  value?: (job: Job) => string | number | null;
}

function seconds(job: Job): number | null {
  if (!job.started_at || !job.finished_at) return null;
  return (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000;
}

export const COLUMNS: readonly Column[] = [
  { id: 'job', head: 'Job', sort: 'name', cell: (job) => <JobLink job={job} />, value: (job) => job.name },
  {
    id: 'kind',
    head: 'Kind',
    wide: true,
    sort: 'kind',
    cell: (job) => <KindCell job={job} />,
    value: (job) => job.kind,
  },
  {
    id: 'status',
    head: 'Status',
    sort: 'state',
    cell: (job) => <Status state={job.state} />,
    value: (job) => job.state,
  },
  { id: 'progress', head: 'Progress', cell: (job) => <ProgressCell job={job} />, value: standing },
  { id: 'trend', head: 'Trend', cell: (job) => <TrendCell job={job} /> },
  { id: 'latest', head: 'Latest', cell: (job) => <LatestCell job={job} /> },
  {
    id: 'labels',
    head: 'Labels',
    wide: true,
    extra: true,
    cell: (job) => <LabelsCell job={job} />,
    value: (job) =>
      Object.entries(job.labels)
        .map((pair) => pair.join('='))
        .join(' '),
  },
  {
    id: 'device',
    head: 'Device',
    cell: (job) => <span className="text-2">{job.device.toUpperCase()}</span>,
    value: (job) => job.device,
  },
  {
    id: 'duration',
    head: 'Ran for',
    wide: true,
    extra: true,
    num: true,
    cell: (job, now) => <DurationCell job={job} now={now} />,
    value: seconds,
  },
  {
    id: 'age',
    head: 'Age',
    num: true,
    sort: 'created_at',
    cell: (job, now) => <AgeCell job={job} now={now} />,
    value: (job) => job.created_at,
  },
];

export const USUAL: readonly string[] = COLUMNS.filter((column) => !column.extra).map((column) => column.id);
