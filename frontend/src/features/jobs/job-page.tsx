import './job.css';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useCallback, useEffect } from 'react';
import { useJob } from '@/api/jobs';
import type { Job } from '@/api/types';
import { ChartViewsContext, useViewsText } from '@/ui/charts/chart-view';
import { late } from '@/ui/late';
import { ErrorState, Loading } from '@/ui/states';
import { type SystemPage, useSystemPage } from '@/ui/system-page';
import { useTitle } from '@/ui/title';
import { JobHeader } from './job-header';
import { JobNotices } from './job-notices';
import { keepSearch, keptSearch, lastSearch } from './kept-search';
import { MetricsTab } from './metrics-tab';
import { OverviewTab } from './overview-tab';
import { jobPage } from './route';
import { TabLink } from './tab-link';

const place = <Loading rows={6} />;
const LogsTab = late(() => import('./logs-tab').then((file) => file.LogsTab), { place });
const ArtifactsTab = late(() => import('./artifacts-tab').then((file) => file.ArtifactsTab), { place });
const EventsTab = late(() => import('./events-tab').then((file) => file.EventsTab), { place });

interface Tab {
  id: string;
  label: string;
  Component: ComponentType<{ job: Job }>;
}

/** The tabs every job has, with those of its kind between them. */
function tabsOf(page: SystemPage): readonly Tab[] {
  return [
    { id: 'overview', label: 'Overview', Component: OverviewTab },
    { id: 'metrics', label: 'Metrics', Component: MetricsTab },
    { id: 'logs', label: 'Logs', Component: LogsTab },
    ...(page.tabs ?? []),
    { id: 'artifacts', label: 'Artifacts', Component: ArtifactsTab },
    { id: 'events', label: 'Events', Component: EventsTab },
  ];
}

/** Zooms and hidden lines live in the address; leaving a tab or the page and coming back finds them again. */
function useKeptViews(job: Job, tab: string) {
  const search = jobPage.useSearch();
  const navigate = useNavigate();
  const { id } = job;
  const keep = useCallback(
    (view: string) =>
      void navigate({
        to: '/jobs/$id',
        params: { id },
        search: { ...keptSearch(id, tab), view: view || undefined },
        replace: true,
        resetScroll: false,
      }),
    [navigate, id, tab],
  );
  useEffect(() => {
    const known = lastSearch(id);
    const bare = Object.values(search).every((value) => value === undefined);
    if (bare && known?.view && !known.tab) keep(known.view);
  }, [id]);
  useEffect(() => keepSearch(id, tab, search), [id, tab, search]);
  return useViewsText(search.view, keep);
}

function JobView({ job }: { job: Job }) {
  const tabs = tabsOf(useSystemPage(job.kind));
  const { tab = 'overview' } = jobPage.useSearch();
  const current = tabs.find((item) => item.id === tab) ?? tabs[0]!;
  const views = useKeptViews(job, current.id);
  useTitle(job.name);
  return (
    <div className="job">
      <JobHeader job={job} />
      <nav className="tabs" aria-label="Parts of the job">
        {tabs.map((item) => (
          <TabLink key={item.id} id={job.id} tab={item.id} current={item.id === current.id}>
            {item.label}
          </TabLink>
        ))}
      </nav>
      <div className="job-body" key={`${job.id}/${current.id}`}>
        <JobNotices job={job} tab={current.id} />
        <ChartViewsContext.Provider value={views}>
          <current.Component job={job} />
        </ChartViewsContext.Provider>
      </div>
    </div>
  );
}

export default function JobPage() {
  const { id } = jobPage.useParams();
  const query = useJob(id!);
  const navigate = useNavigate();
  if (query.data) return <JobView job={query.data} />;
  if (query.isError) {
    return (
      <>
        <ErrorState error={query.error} retry={() => void query.refetch()} />
        <div className="row" style={{ justifyContent: 'center' }}>
          <button type="button" className="btn" onClick={() => void navigate({ to: '/jobs' })}>
            All jobs
          </button>
        </div>
      </>
    );
  }
  return <Loading rows={8} label="Loading the job" />;
}
