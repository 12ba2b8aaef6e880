import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import type { AnyPage } from '@/ui/page';
import { pages } from './pages';
import { NotFound, RouteError } from './route-error';
import { Shell } from './shell';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: AnyPage;
  }
}

/** Query parameters stay plain words in the address: `?tab=logs`, never JSON. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const kept = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text}` : '';
}

function routeOf(page: AnyPage, parent: AnyRoute, queries: QueryClient): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    validateSearch: page.search ?? ((raw: Record<string, unknown>) => raw),
    component: lazyRouteComponent(page.load),
    loader: ({ cause, params, location }) => {
      // A link that the pointer passes over brings the page's module alone.
      if (cause !== 'preload')
        page.ahead?.(queries, params as Record<string, string>, location.search as never);
    },
    shouldReload: false,
    errorComponent: RouteError,
    staticData: { page },
  }) as unknown as AnyRoute;
}

/** The router over all pages of all features. Tests pass a memory history. */
export function buildRouter(queries: QueryClient, history?: RouterHistory) {
  const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: RouteError });
  return createRouter({
    routeTree: root.addChildren(pages.map((page) => routeOf(page, root as unknown as AnyRoute, queries))),
    parseSearch,
    stringifySearch,
    history,
    defaultPreload: 'intent',
    defaultPendingMs: 200,
  });
}
