import './jobs.css';
import IconListDetails from '@tabler/icons-react/icons/IconListDetails';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { jobsQuery } from '@/api/jobs';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { count, sentence } from '@/ui/format';
import { COLUMNS } from '@/ui/job/columns';
import { JobTable } from '@/ui/job/table';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { JobActions } from './actions';
import { JobsFilters } from './jobs-filters';
import { ColumnsMenu, TickedBar, ViewsMenu } from './jobs-tools';
import { useJobsView } from './use-jobs-view';

function NothingHere({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        icon={IconListDetails}
        title="No job matches"
        action={
          <Link className="btn" to="/jobs">
            Show all jobs
          </Link>
        }
      >
        Change or clear the filters above.
      </Empty>
    );
  }
  const start = (
    <Link className="btn primary" to="/">
      Train a template
    </Link>
  );
  return (
    <Empty icon={IconListDetails} title="No jobs yet" action={start}>
      A job trains a model, imports a dataset or runs another system. For example: GAT on a bundled graph.
    </Empty>
  );
}

/** The table with exact values, and every newest value of the jobs' series. */
function tableOf(jobs: readonly Job[], columns: readonly string[]): TableData {
  const shown = COLUMNS.filter((column) => columns.includes(column.id) && column.value);
  const series = [...new Set(jobs.flatMap((job) => Object.keys(job.latest_metrics)))];
  return {
    head: ['id', ...shown.map((column) => column.id), ...series],
    rows: jobs.map((job) => [
      job.id,
      ...shown.map((column) => column.value!(job)),
      ...series.map((name) => job.latest_metrics[name]),
    ]),
  };
}

export default function JobsPage() {
  const view = useJobsView();
  const { search } = view;
  const query = useInfiniteQuery(jobsQuery(view.filter));
  const jobs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages[0]?.total ?? null;
  const card = useRef<HTMLElement>(null);
  return (
    <div className="page">
      <div className="page-title">
        <h1>{search.kind ? `Jobs: ${sentence(search.kind)}` : 'Jobs'}</h1>
        <Link className="btn" to="/jobs/new">
          <IconPlus size={14} />
          New job
        </Link>
      </div>
      <JobsFilters view={view}>
        <span className="push row">
          <ViewsMenu view={view} />
          <span className="desk-only">
            <ColumnsMenu view={view} />
          </span>
          <ExportMenu title="Jobs" target={card} table={() => tableOf(jobs, view.columns)} />
        </span>
      </JobsFilters>
      <TickedBar view={view} jobs={jobs} />
      <section className="card clip" aria-label="Jobs" aria-busy={query.isFetching} ref={card}>
        {query.isPending && <Loading rows={6} />}
        {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
        {query.isSuccess && jobs.length === 0 && <NothingHere filtered={view.filtered} />}
        {jobs.length > 0 && (
          <JobTable
            jobs={jobs}
            columns={view.columns}
            sorting={view.sorting}
            ticking={view.ticking}
            actions={(job) => <JobActions job={job} small />}
          />
        )}
        {query.hasNextPage && (
          <div className="jobs-more" data-export="no">
            <span className="caption">
              Showing {count(jobs.length)}
              {total !== null && ` of ${count(total)}`}
            </span>
            <button
              type="button"
              className="btn"
              disabled={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? 'Loading' : 'Show more'}
            </button>
          </div>
        )}
      </section>
    </div>
  );
}
