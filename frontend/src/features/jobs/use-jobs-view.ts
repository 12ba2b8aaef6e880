import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { USUAL } from '@/ui/job/columns';
import { filterOf, type JobsSearch, jobsPage } from './route';

const NEWEST_FIRST = '-created_at';

const list = (text: string | undefined) => (text ?? '').split(',').filter(Boolean);

/** The list of jobs as its address says: filters, order, columns and ticks; and how to change them. */
export function useJobsView() {
  const search = jobsPage.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (part: JobsSearch, replace = false) =>
      void navigate({
        to: '/jobs',
        search: (old: JobsSearch) => ({ ...old, ...part }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const filter = filterOf(search);
  const ticked = useMemo(() => new Set(list(search.ticked)), [search.ticked]);
  const columns = useMemo(() => (search.columns ? list(search.columns) : USUAL), [search.columns]);
  return {
    search,
    change,
    filter,
    columns,
    filtered: Boolean(search.kind || search.q || search.state || search.label),
    setColumns: (ids: readonly string[]) =>
      change({ columns: ids.join(',') === USUAL.join(',') ? undefined : ids.join(',') }, true),
    sorting: {
      by: search.sort ?? NEWEST_FIRST,
      onSort: (by: string) => change({ sort: by === NEWEST_FIRST ? undefined : by }),
    },
    ticking: {
      ticked,
      onTick: (ids: readonly string[], on: boolean) => {
        const next = on ? [...ticked, ...ids] : [...ticked].filter((id) => !ids.includes(id));
        change({ ticked: [...new Set(next)].join(',') || undefined }, true);
      },
    },
  };
}

export type JobsView = ReturnType<typeof useJobsView>;
