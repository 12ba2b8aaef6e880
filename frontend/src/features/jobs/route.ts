import IconPlaylist from '@tabler/icons-react/icons/IconListDetails';
import { metricsQuery, SKETCH } from '@/api/job-metrics';
import { type JobFilter, jobQuery, jobsQuery } from '@/api/jobs';
import { definePage } from '@/ui/page';

const JOBS = [{ label: 'Jobs', to: '/jobs' }] as const;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export interface JobsSearch {
  state?: string;
  kind?: string;
  q?: string;
  /** `key` or `key=value`. */
  label?: string;
  sort?: string;
  /** Ids of columns, separated by commas; left out for the usual ones. */
  columns?: string;
  /** Ids of ticked jobs, separated by commas. */
  ticked?: string;
}

const JOBS_SEARCH = ['state', 'kind', 'q', 'label', 'sort', 'columns', 'ticked'] as const;

/** What the address of a list asks the server for. */
export function filterOf(search: JobsSearch): JobFilter {
  const { state, kind, q, label, sort } = search;
  return { state, kind, q, label: label ? [label] : undefined, sort: sort as JobFilter['sort'] };
}

export const jobsPage = definePage<JobsSearch>({
  path: '/jobs',
  title: 'Jobs',
  nav: { group: 'Run', label: 'Jobs', icon: IconPlaylist, order: 0, phone: true },
  search: (raw) => Object.fromEntries(JOBS_SEARCH.map((name) => [name, text(raw[name])])),
  load: () => import('./jobs-page'),
  ahead: (queries, _, search) => void queries.prefetchInfiniteQuery(jobsQuery(filterOf(search))),
});

export interface NewJobSearch {
  kind?: string;
  /** A job whose spec fills the form. */
  from?: string;
  [parameter: string]: string | undefined;
}

export const newJobPage = definePage<NewJobSearch>({
  path: '/jobs/new',
  title: 'New job',
  parents: JOBS,
  search: (raw) => Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, text(value)])),
  load: () => import('./new-job-page'),
});

export interface JobSearch {
  tab?: string;
  /** Selected row of the tab, such as a kernel. */
  item?: string;
  q?: string;
  /** What the reader made of its charts, see `ui/charts/chart-view.ts`. */
  view?: string;
}

const WITH_CURVES: ReadonlySet<string | undefined> = new Set([undefined, 'overview', 'metrics']);

export const jobPage = definePage<JobSearch>({
  path: '/jobs/$id',
  title: 'Job',
  parents: JOBS,
  search: (raw) => ({ tab: text(raw.tab), item: text(raw.item), q: text(raw.q), view: text(raw.view) }),
  load: () => import('./job-page'),
  ahead: (queries, { id }, { tab }) => {
    void queries.prefetchQuery(jobQuery(id!, queries));
    // Most jobs have one attempt; others ask again.
    if (WITH_CURVES.has(tab)) void queries.prefetchQuery(metricsQuery(id!, 1, SKETCH));
  },
});

export const pages = [jobsPage, newJobPage, jobPage];
