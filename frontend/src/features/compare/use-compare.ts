import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { exchange } from '@/ui/charts/run-looks';
import { knownPlace, rememberPlaces } from './known-looks';
import { type CompareSearch, comparePage } from './route';
import { idsOf, placesIn, writePlaces } from './runs';

/** What is compared, as the address says, and how to change it. */
export function useCompare() {
  const search = comparePage.useSearch();
  const navigate = useNavigate();
  const ids = useMemo(() => idsOf(search.jobs), [search.jobs]);
  const places = useMemo(() => placesIn(search, knownPlace), [search.jobs, search.looks]);
  const change = useCallback(
    (part: CompareSearch, replace = false) =>
      void navigate({
        to: '/compare',
        search: (old: CompareSearch) => ({ ...old, ...part }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  useEffect(() => rememberPlaces(ids, places), [ids, places]);
  // An address that is passed on shows the same looks in a browser that knows none of the runs.
  useEffect(() => {
    const looks = writePlaces(places);
    if (ids.length > 0 && looks !== search.looks) change({ looks }, true);
  }, [ids, places, search.looks, change]);

  const setRuns = (runs: readonly string[]) => {
    const kept = new Map(ids.map((id, i) => [id, places[i]]));
    const next = placesIn({ jobs: runs.join(',') }, (run) => kept.get(run) ?? knownPlace(run));
    const base = search.base && runs.includes(search.base) ? search.base : undefined;
    change({ jobs: runs.join(',') || undefined, looks: writePlaces(next), base });
  };
  const setPlace = (id: string, place: number) =>
    change({ looks: writePlaces(exchange(places, ids.indexOf(id), place)) ?? places.join('.') });
  const toggleOff = (id: string) => {
    const off = idsOf(search.off);
    const next = off.includes(id) ? off.filter((x) => x !== id) : [...off, id];
    change({ off: next.join(',') || undefined }, true);
  };
  return { search, ids, places, change, setRuns, setPlace, toggleOff };
}

export type Compare = ReturnType<typeof useCompare>;
