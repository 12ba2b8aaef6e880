import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { intoView } from '@/ui/into-view';
import { keptSearch } from './kept-search';

/** A tab as an address, so Back, reload and a pasted link bring it back; as it was left while the page is open. */
export function TabLink(props: { id: string; tab: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      ref={props.current ? intoView : undefined}
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
