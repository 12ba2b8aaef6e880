import { Checkbox } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Job } from '@/api/types';
import { useNow } from '@/ui/now';
import { Status } from '@/ui/status';
import { TableScroll } from '@/ui/table-scroll';
import { TrendCell } from './cells';
import { COLUMNS, type Column, USUAL } from './columns';
import { ProgressMeter, showsMeter, standing } from './progress';

/** The order of the table, in the server's words, and how to change it. */
export interface Sorting {
  by: string;
  onSort: (by: string) => void;
}

/** Ticked jobs and how to tick. */
export interface Ticking {
  ticked: ReadonlySet<string>;
  onTick: (ids: readonly string[], on: boolean) => void;
}

interface JobTableProps {
  jobs: readonly Job[];
  short?: boolean;
  /** Ids of the columns; the usual ones by default. */
  columns?: readonly string[];
  sorting?: Sorting;
  ticking?: Ticking;
  actions?: (job: Job) => ReactNode;
}

const ORDER_WORDS = { '': 'ascending', '-': 'descending' } as const;

function SortHead({ column, sorting }: { column: Column; sorting: Sorting }) {
  const down = sorting.by === `-${column.sort}`;
  const current = down || sorting.by === column.sort;
  const Arrow = down ? IconArrowDown : IconArrowUp;
  return (
    <button
      type="button"
      className="sort"
      onClick={() => sorting.onSort(current && !down ? `-${column.sort}` : column.sort!)}
    >
      {column.head}
      {current && <Arrow size={12} aria-hidden="true" />}
    </button>
  );
}

function sortOf(column: Column, sorting: Sorting | undefined) {
  if (!column.sort || !sorting) return undefined;
  if (sorting.by === column.sort) return ORDER_WORDS[''];
  return sorting.by === `-${column.sort}` ? ORDER_WORDS['-'] : 'none';
}

function TickAll({ jobs, ticking }: { jobs: readonly Job[]; ticking: Ticking }) {
  const ticked = jobs.filter((job) => ticking.ticked.has(job.id)).length;
  return (
    <Checkbox
      size="xs"
      aria-label="Tick all shown"
      checked={ticked === jobs.length}
      indeterminate={ticked > 0 && ticked < jobs.length}
      onChange={() =>
        ticking.onTick(
          jobs.map((job) => job.id),
          ticked < jobs.length,
        )
      }
    />
  );
}

function Tick({ job, ticking }: { job: Job; ticking: Ticking }) {
  const on = ticking.ticked.has(job.id);
  return (
    <Checkbox
      size="xs"
      aria-label={`Tick ${job.name}`}
      checked={on}
      onChange={() => ticking.onTick([job.id], !on)}
    />
  );
}

/** Jobs as rows; as cards on a phone. */
export function JobTable({ jobs, short = false, columns = USUAL, sorting, ticking, actions }: JobTableProps) {
  const now = useNow(5000);
  const shown = COLUMNS.filter((column) => columns.includes(column.id) && !(short && column.wide));
  return (
    <>
      <TableScroll label="Table of jobs" className="desk-only">
        <table className="table jobs">
          <thead>
            <tr>
              {ticking && (
                <th className="tick" data-export="no">
                  <TickAll jobs={jobs} ticking={ticking} />
                </th>
              )}
              {shown.map((column) => (
                <th
                  key={column.id}
                  data-col={column.id}
                  className={column.num ? 'num' : undefined}
                  aria-sort={sortOf(column, sorting)}
                >
                  {column.sort && sorting ? <SortHead column={column} sorting={sorting} /> : column.head}
                </th>
              ))}
              {actions && (
                <th data-export="no">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id} data-ticked={ticking?.ticked.has(job.id)}>
                {ticking && (
                  <td className="tick">
                    <Tick job={job} ticking={ticking} />
                  </td>
                )}
                {shown.map((column) => (
                  <td
                    key={column.id}
                    data-col={column.id}
                    style={column.num ? { textAlign: 'right' } : undefined}
                  >
                    {column.cell(job, now)}
                  </td>
                ))}
                {actions && <td className="job-actions">{actions(job)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      <div className="phone-only">
        {jobs.map((job) => (
          <div key={job.id} className="job-card-row">
            {ticking && <Tick job={job} ticking={ticking} />}
            <JobCard job={job} />
          </div>
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
