import type { AnyPage, NavEntry } from '@/ui/page';
import { pages } from './pages';

export type Group = NavEntry['group'];
export const GROUPS: readonly Group[] = ['top', 'Build', 'Run', 'Plan', 'Systems', 'foot'];

export type NavPage = AnyPage & { nav: NavEntry };

const listed: NavPage[] = pages
  .filter((page): page is NavPage => page.nav !== undefined)
  .sort((a, b) => a.nav.order - b.nav.order);

export function pagesIn(group: Group): NavPage[] {
  return listed.filter((page) => page.nav.group === group);
}

export const allNavPages: readonly NavPage[] = listed;

/** True when `pathname` is the page itself or something below it. */
export function isCurrent(page: AnyPage, pathname: string): boolean {
  return page.path === '/'
    ? pathname === '/'
    : pathname === page.path || pathname.startsWith(`${page.path}/`);
}
