import type { JobSearch } from './route';

/** How each tab of a job was left, as its address; as long as the page is open. */
const kept = new Map<string, JobSearch>();
const last = new Map<string, JobSearch>();

export function keepSearch(id: string, tab: string, search: JobSearch): void {
  kept.set(`${id}/${tab}`, search);
  last.set(id, search);
}

/** The address of a tab as it was left, or as it is first opened. */
export function keptSearch(id: string, tab: string): JobSearch {
  return kept.get(`${id}/${tab}`) ?? (tab === 'overview' ? {} : { tab });
}

/** The address a job was left at. */
export function lastSearch(id: string): JobSearch | undefined {
  return last.get(id);
}
