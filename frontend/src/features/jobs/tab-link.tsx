import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { keptSearch } from './kept-search';

/** The row of tabs may be wider than a phone. Only the row is scrolled, never the page. */
function bringIntoView(tab: HTMLElement | null) {
  const row = tab?.parentElement;
  if (tab && row) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

/** A tab as an address, so Back, reload and a pasted link bring it back; as it was left while the page is open. */
export function TabLink(props: { id: string; tab: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      ref={props.current ? bringIntoView : undefined}
      to="/jobs/$id"
      params={{ id: props.id }}
      search={keptSearch(props.id, props.tab)}
      aria-current={props.current ? 'page' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      resetScroll={false}
    >
      {props.children}
    </Link>
  );
}
