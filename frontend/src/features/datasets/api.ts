import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { randomKey } from '@/api/key';
import { ApiProblem, problemFrom, UNREACHABLE } from '@/api/problem';
import type { Schemas } from '@/api/types';

export type DatasetItem = Schemas['DatasetItem'];
export type DatasetDetail = Schemas['DatasetDetail'];
export type Goal = Schemas['DatasetInfo']['goals'][number];
export type DatasetSummary = Schemas['DatasetSummary'];
export type DatasetCreate = Schemas['DatasetCreate'];
export type Neighbourhood = Schemas['DatasetNeighbourhood'];
export type GraphSchema = Schemas['GraphSchema'];
export type Degrees = Schemas['Degrees'];
export type Sources = Schemas['DatasetSources'];
export type Upload = Schemas['UploadItem'];

const path = (id: string) => ({ path: { dataset_id: id } });
const once = () => ({ 'Idempotency-Key': randomKey() });
const WHILE_IMPORTING_MS = 800;

/** While anything is being imported its progress is asked for; else nothing is. */
export function datasetsQuery(q: string | undefined) {
  return queryOptions({
    queryKey: ['datasets', 'list', q ?? ''],
    queryFn: () =>
      unwrap(api().GET('/api/v1/datasets', { params: { query: { limit: 200, ...(q ? { q } : {}) } } })),
    refetchInterval: (query) =>
      query.state.data?.items.some((item) => item.state === 'importing') ? WHILE_IMPORTING_MS : false,
  });
}

export function readDataset(id: string): Promise<DatasetDetail> {
  return unwrap(api().GET('/api/v1/datasets/{dataset_id}', { params: path(id) }));
}

export function datasetQuery(id: string) {
  return queryOptions({
    queryKey: ['datasets', id],
    queryFn: () => readDataset(id),
    refetchInterval: (query) => (query.state.data?.state === 'importing' ? WHILE_IMPORTING_MS : false),
  });
}

export function summaryQuery(id: string) {
  return queryOptions({
    queryKey: ['datasets', id, 'summary'],
    queryFn: () => unwrap(api().GET('/api/v1/datasets/{dataset_id}/summary', { params: path(id) })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function schemaQuery(id: string) {
  return queryOptions({
    queryKey: ['datasets', id, 'schema'],
    queryFn: () => unwrap(api().GET('/api/v1/datasets/{dataset_id}/schema', { params: path(id) })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function usesQuery(id: string) {
  return queryOptions({
    queryKey: ['datasets', id, 'jobs'],
    queryFn: () => unwrap(api().GET('/api/v1/datasets/{dataset_id}/jobs', { params: path(id) })),
  });
}

export interface Look {
  readonly vertex: number | null;
  readonly hops: number;
  readonly seed: number;
}

export function neighbourhoodQuery(id: string, look: Look) {
  const { vertex, hops, seed } = look;
  return queryOptions({
    queryKey: ['datasets', id, 'neighbourhood', vertex, hops, seed],
    queryFn: () =>
      unwrap(
        api().GET('/api/v1/datasets/{dataset_id}/neighbourhood', {
          params: { ...path(id), query: { hops, seed, limit: 60, ...(vertex === null ? {} : { vertex }) } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before: Neighbourhood | undefined) => before,
  });
}

export const sourcesQuery = queryOptions({
  queryKey: ['dataset-sources'],
  queryFn: () => unwrap(api().GET('/api/v1/dataset-sources')),
  staleTime: Number.POSITIVE_INFINITY,
});

export function createDataset(body: DatasetCreate, key: string): Promise<DatasetItem> {
  return unwrap(api().POST('/api/v1/datasets', { headers: { 'Idempotency-Key': key }, body }));
}

export function renameDataset(id: string, name: string): Promise<DatasetItem> {
  return unwrap(api().PATCH('/api/v1/datasets/{dataset_id}', { params: path(id), body: { name } }));
}

export async function deleteDataset(id: string): Promise<void> {
  await unwrap(api().DELETE('/api/v1/datasets/{dataset_id}', { params: path(id) }));
}

export async function actOnImport(jobId: string, action: 'cancel' | 'retry'): Promise<void> {
  const options = { params: { path: { job_id: jobId } }, headers: once() };
  await (action === 'cancel'
    ? unwrap(api().POST('/api/v1/jobs/{job_id}/cancel', options))
    : unwrap(api().POST('/api/v1/jobs/{job_id}/retry', options)));
}

export async function dropUpload(id: string): Promise<void> {
  await unwrap(api().DELETE('/api/v1/uploads/{upload_id}', { params: { path: { upload_id: id } } }));
}

export interface Sending {
  readonly done: Promise<Upload>;
  cancel(): void;
}

/** Sends files with their progress. `fetch` tells none while sending, so this one request is an XMLHttpRequest. */
export function sendFiles(files: readonly File[], onProgress: (ratio: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Upload>((resolve, reject) => {
    request.open('POST', '/api/v1/uploads');
    request.responseType = 'text';
    request.setRequestHeader('Idempotency-Key', randomKey());
    request.upload.onprogress = (event) => onProgress(event.total > 0 ? event.loaded / event.total : 0);
    request.onload = () => {
      const body: unknown = parsed(request.responseText);
      if (request.status === 201) resolve(body as Upload);
      else
        reject(
          problemFrom(new Response(null, { status: request.status >= 200 ? request.status : 500 }), body),
        );
    };
    request.onerror = () => reject(UNREACHABLE);
    request.onabort = () =>
      reject(new ApiProblem(0, { title: 'Cancelled', detail: 'The upload was cancelled.' }));
    const form = new FormData();
    for (const file of files) form.append('files', file, file.name);
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
