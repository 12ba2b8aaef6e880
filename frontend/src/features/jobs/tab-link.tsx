import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A tab as an address, so Back, reload and a pasted link bring it back. */
export function TabLink(props: { id: string; tab: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      to="/jobs/$id"
      params={{ id: props.id }}
      search={props.tab === 'overview' ? {} : { tab: props.tab }}
      aria-current={props.current ? 'page' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      resetScroll={false}
    >
      {props.children}
    </Link>
  );
}
