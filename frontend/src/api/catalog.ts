import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';

/** Catalogues change only with the installed version: read once. */
export const systemsQuery = queryOptions({
  queryKey: ['systems'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/systems'))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/templates'))).items,
  staleTime: 60_000,
});

export const recentModelsQuery = queryOptions({
  queryKey: ['models', 'recent'],
  queryFn: async () => (await unwrap(api().GET('/api/v1/models', { params: { query: { limit: 6 } } }))).items,
});
