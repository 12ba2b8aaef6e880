import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { docFrom } from '@/canvas/view/use-catalog';
import { readDraft } from '../api';

/** The document of a version, which never changes, or of the draft as `etag` knows it. */
export function stateQuery(id: string, state: string, etag: string) {
  return queryOptions({
    queryKey: ['models', id, 'state', state, state === 'draft' ? etag : ''],
    queryFn: async () => (state === 'draft' ? (await readDraft(id)).doc : readVersion(id, Number(state))),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function readVersion(id: string, number: number) {
  const params = { path: { model_id: id, number } };
  return docFrom((await unwrap(api().GET('/api/v1/models/{model_id}/versions/{number}', { params }))).doc);
}
