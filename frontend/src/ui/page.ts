import type { QueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';

type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>;

/** Where a page stands in the left rail and the phone's bottom bar. */
export interface NavEntry {
  group: 'top' | 'Build' | 'Run' | 'Plan' | 'Systems' | 'foot';
  label: string;
  icon: Icon;
  /** Place inside the group, lowest first. */
  order: number;
  /** Also shown in the phone's bottom bar. */
  phone?: boolean;
}

export interface PageOptions<S extends object> {
  /** Route path, TanStack style: `/models/$id`. */
  path: string;
  /** Last word of the breadcrumb and of the document title until the page sets a better one. */
  title: string;
  /** Breadcrumb before it. */
  parents?: readonly { label: string; to: string }[];
  nav?: NavEntry;
  /** Turns raw query parameters into the page's typed ones. Must accept anything. */
  search?: (raw: Record<string, unknown>) => S;
  /** The page's module: `() => import('./models-page')`, default export = component. */
  load: () => Promise<{ default: ComponentType }>;
  /** Asks for what the page shows while its module is on its way. */
  ahead?: (queries: QueryClient, params: Record<string, string>, search: S) => void;
  /** Hides the page padding and scroll of the shell, for full-height tools such as the canvas. */
  bleed?: boolean;
  /** Start with the narrow rail. */
  slim?: boolean;
}

export interface Page<S extends object = Record<string, never>> extends PageOptions<S> {
  useSearch: () => S;
  useParams: () => Record<string, string>;
}

/** Describes one page. A feature's `route.tsx` exports `pages: Page<any>[]`; src/app finds it by its name. */
export function definePage<S extends object = Record<string, never>>(options: PageOptions<S>): Page<S> {
  return {
    ...options,
    useSearch: () => useSearch({ strict: false }) as S,
    useParams: () => useParams({ strict: false }) as Record<string, string>,
  };
}

/** What the shell needs of any page, whatever its query parameters are. */
export type AnyPage = Omit<PageOptions<object>, 'search' | 'ahead'> & {
  search?: (raw: Record<string, unknown>) => object;
  ahead?: (queries: QueryClient, params: Record<string, string>, search: never) => void;
};
