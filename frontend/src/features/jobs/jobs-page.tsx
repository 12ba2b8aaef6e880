import './jobs.css';
import { Select, TextInput } from '@mantine/core';
import IconListDetails from '@tabler/icons-react/icons/IconListDetails';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { systemsQuery } from '@/api/catalog';
import { jobsQuery } from '@/api/jobs';
import { sentence } from '@/ui/format';
import { JobTable } from '@/ui/job/table';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { JobActions } from './actions';
import { type JobsSearch, jobsPage } from './route';

const GROUPS: readonly { label: string; state: string | undefined }[] = [
  { label: 'All', state: undefined },
  { label: 'Running', state: 'starting,running,cancelling' },
  { label: 'Queued', state: 'queued' },
  { label: 'Succeeded', state: 'succeeded' },
  { label: 'Stopped', state: 'failed,cancelled,lost' },
];

function useFilter() {
  const search = jobsPage.useSearch();
  const navigate = useNavigate();
  const change = (part: JobsSearch) =>
    void navigate({ to: '/jobs', search: { ...search, ...part }, replace: 'q' in part });
  return { search, change };
}

/** The text filter: typed freely, applied when the typing pauses. */
function NameFilter() {
  const { search, change } = useFilter();
  const [text, setText] = useState(search.q ?? '');
  useEffect(() => {
    if (text === (search.q ?? '')) return;
    const timer = setTimeout(() => change({ q: text || undefined }), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      aria-label="Find a job by name or id"
      placeholder="Name or id"
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      w={220}
    />
  );
}

function Filters() {
  const { search, change } = useFilter();
  const { data: systems } = useQuery(systemsQuery);
  return (
    <div className="row wrap">
      <fieldset className="segments" aria-label="State">
        {GROUPS.map((group) => (
          <button
            key={group.label}
            type="button"
            aria-pressed={search.state === group.state}
            onClick={() => change({ state: group.state })}
          >
            {group.label}
          </button>
        ))}
      </fieldset>
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        clearable
        data={(systems ?? []).map((system) => ({ value: system.kind, label: system.title }))}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
        w={160}
      />
      <NameFilter />
    </div>
  );
}

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

export default function JobsPage() {
  const { search } = useFilter();
  const query = useInfiniteQuery(jobsQuery(search));
  const jobs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = Boolean(search.kind || search.q || search.state);
  return (
    <div className="page">
      <div className="page-title">
        <h1>{search.kind ? `Jobs: ${sentence(search.kind)}` : 'Jobs'}</h1>
        <Link className="btn" to="/jobs/new">
          <IconPlus size={14} />
          New job
        </Link>
      </div>
      <Filters />
      <section className="card clip" aria-label="Jobs" aria-busy={query.isFetching}>
        {query.isPending && <Loading rows={6} />}
        {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
        {query.isSuccess && jobs.length === 0 && <NothingHere filtered={filtered} />}
        {jobs.length > 0 && <JobTable jobs={jobs} actions={(job) => <JobActions job={job} small />} />}
        {query.hasNextPage && (
          <div className="jobs-more">
            <button
              type="button"
              className="btn"
              disabled={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? 'Loading' : 'Show older jobs'}
            </button>
          </div>
        )}
      </section>
    </div>
  );
}
