import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { templatesQuery } from '@/api/catalog';
import { api, unwrap } from '@/api/client';
import { randomKey } from '@/api/key';
import type { Schemas } from '@/api/types';
import type { ModelDoc } from '@/canvas/model/document';
import { catalogQuery, docFor, docFrom } from '@/canvas/view/use-catalog';

export type ModelItem = Schemas['ModelItem'];

export interface Draft {
  readonly doc: ModelDoc;
  readonly etag: string;
}

const path = (id: string) => ({ path: { model_id: id } });
const once = () => ({ 'Idempotency-Key': randomKey() });
const match = (etag: string) => ({ 'If-Match': `"${etag}"` });

export function modelsQuery(q: string | undefined) {
  return queryOptions({
    queryKey: ['models', 'list', q ?? ''],
    queryFn: () =>
      unwrap(api().GET('/api/v1/models', { params: { query: { limit: 200, ...(q ? { q } : {}) } } })),
  });
}

export function modelQuery(id: string) {
  return queryOptions({
    queryKey: ['models', id],
    queryFn: () => unwrap(api().GET('/api/v1/models/{model_id}', { params: path(id) })),
  });
}

/** The draft is read once when the editor opens; from then on the editor is its writer. */
export function draftQuery(id: string) {
  return queryOptions({
    queryKey: ['models', id, 'draft'],
    queryFn: () => draftAhead(id) ?? readDraft(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}

let ahead: { id: string; until: number; draft: Promise<Draft> } | null = null;
const AHEAD_MS = 5000;

/** Reads what the editor opens with while its module is on the way. */
export function openAhead(queries: QueryClient, id: string): void {
  ahead = { id, until: performance.now() + AHEAD_MS, draft: readDraft(id) };
  // Who opens the editor asks again and hears why.
  ahead.draft.catch(() => {
    ahead = null;
  });
  void queries.prefetchQuery(modelQuery(id));
  void queries.prefetchQuery(catalogQuery);
  // With the dataset known from the start a program is compiled once, not first without sizes.
  void queries.prefetchQuery(datasetsQuery);
  void queries.prefetchQuery(templatesQuery);
}

/** What was read ahead serves one opening. */
function draftAhead(id: string): Promise<Draft> | null {
  const found = ahead;
  ahead = null;
  return found?.id === id && performance.now() < found.until ? found.draft : null;
}

/** A draft for a picture, which may be a little old. */
export function sketchQuery(model: ModelItem) {
  return queryOptions({
    queryKey: ['models', model.id, 'sketch', model.draft_hash],
    queryFn: async () => (await readDraft(model.id)).doc,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['models', id, 'versions'],
    queryFn: async () =>
      (
        await unwrap(
          api().GET('/api/v1/models/{model_id}/versions', { params: { ...path(id), query: { limit: 200 } } }),
        )
      ).items,
  });
}

export const datasetsQuery = queryOptions({
  queryKey: ['datasets', 'choices'],
  queryFn: async () =>
    (await unwrap(api().GET('/api/v1/datasets', { params: { query: { limit: 200 } } }))).items,
});

/** Which relations a heterogeneous dataset has; lists of datasets only count them. */
export function relationsQuery(id: string) {
  return queryOptions({
    queryKey: ['datasets', id, 'relations'],
    queryFn: async () => {
      const params = { path: { dataset_id: id } };
      const { info } = await unwrap(api().GET('/api/v1/datasets/{dataset_id}', { params }));
      return info?.heterogeneous?.relations ?? [];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function readDraft(id: string): Promise<Draft> {
  const draft = await unwrap(api().GET('/api/v1/models/{model_id}/draft', { params: path(id) }));
  return { doc: docFrom(draft.doc), etag: draft.etag };
}

export async function writeDraft(id: string, doc: ModelDoc, etag: string): Promise<string> {
  const draft = await unwrap(
    api().PUT('/api/v1/models/{model_id}/draft', {
      params: path(id),
      headers: match(etag),
      body: docFor(doc),
    }),
  );
  return draft.etag;
}

export function keepVersion(id: string, etag: string, note: string) {
  const headers = { ...match(etag), ...once() };
  return unwrap(
    api().POST('/api/v1/models/{model_id}/versions', { params: path(id), headers, body: { note } }),
  );
}

export async function restoreVersion(id: string, number: number, etag: string): Promise<Draft> {
  const params = { path: { model_id: id, number } };
  const headers = { ...match(etag), ...once() };
  const draft = await unwrap(
    api().POST('/api/v1/models/{model_id}/versions/{number}/restore', { params, headers }),
  );
  return { doc: docFrom(draft.doc), etag: draft.etag };
}

export function createModel(body: { name: string; template?: string; doc?: ModelDoc }): Promise<ModelItem> {
  const { name, template, doc } = body;
  return unwrap(
    api().POST('/api/v1/models', {
      headers: once(),
      body: { name, ...(template ? { template } : {}), ...(doc ? { doc: docFor(doc) } : {}) },
    }),
  );
}

export function renameModel(id: string, name: string): Promise<ModelItem> {
  return unwrap(api().PATCH('/api/v1/models/{model_id}', { params: path(id), body: { name } }));
}

export function duplicateModel(id: string): Promise<ModelItem> {
  return unwrap(
    api().POST('/api/v1/models/{model_id}/duplicate', { params: path(id), headers: once(), body: {} }),
  );
}

export async function deleteModel(id: string): Promise<void> {
  await unwrap(api().DELETE('/api/v1/models/{model_id}', { params: path(id) }));
}

export function validateDoc(doc: ModelDoc, datasetId: string | null) {
  return unwrap(
    api().POST('/api/v1/model-validations', { body: { doc: docFor(doc), dataset_id: datasetId } }),
  );
}

export type Compilation = Schemas['LayerCompilation'];

/** The vertex program of one node at its place in the document: IR before and after the passes, kernels, problems. */
export type CompilerChoices = Required<Pick<Schemas['LayerCompile'], 'disabled' | 'memory'>>;

export function compileNode(
  doc: ModelDoc,
  nodeId: string,
  datasetId: string | null,
  choices: CompilerChoices,
): Promise<Compilation> {
  return unwrap(
    api().POST('/api/v1/layers/compile', {
      body: { doc: docFor(doc), node_id: nodeId, dataset_id: datasetId, ...choices },
    }),
  );
}
