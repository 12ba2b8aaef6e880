import { queryOptions, useQuery } from '@tanstack/react-query';
import { templatesQuery } from '@/api/catalog';
import { api, unwrap } from '@/api/client';
import type { AnyRecord, ModelDoc, Schemas } from '@/api/types';
import type { Goal } from './types';

/** What to train: a template, a saved model, or the document of an earlier job. */
export interface Choice {
  /** `template:gat`, `model:mdl_…` or `job`. */
  id: string;
  label: string;
  doc: ModelDoc;
  /** Settings of the task that suit it; what it learns is up to its output. */
  task: AnyRecord;
  training: AnyRecord;
  /** The dataset a template is tried on. */
  dataset: string | null;
  model: Schemas['ModelItem'] | null;
  ref: Schemas['ModelRef'] | null;
}

function draftQuery(id: string | null) {
  return queryOptions({
    queryKey: ['models', id, 'train-draft'],
    enabled: id !== null,
    gcTime: 0,
    queryFn: async () => {
      const params = { path: { model_id: id! } };
      const [model, draft] = await Promise.all([
        unwrap(api().GET('/api/v1/models/{model_id}', { params })),
        unwrap(api().GET('/api/v1/models/{model_id}/draft', { params })),
      ]);
      return { model, draft };
    },
  });
}

/** Kind of job that trains models over types and relations. */
const OVER_RELATIONS = 'hgl';

export function kindOf(overRelations: boolean): string {
  return overRelations ? OVER_RELATIONS : 'seastar';
}

/** Whether a job of that kind can learn that from the dataset. */
export function suits({ info }: Schemas['DatasetItem'], kind: string, goal: Goal): boolean {
  if (goal === 'kg_link_prediction') return info?.heterogeneous?.edge_split != null;
  return info?.goals.includes(goal) === true && (info.heterogeneous !== null) === (kind === OVER_RELATIONS);
}

/** Every dataset that is there; which of them suit depends on the task. */
export const readyDatasetsQuery = queryOptions({
  queryKey: ['datasets', 'trainable'],
  queryFn: async () => {
    const { items } = await unwrap(api().GET('/api/v1/datasets', { params: { query: { limit: 200 } } }));
    return items.filter((item) => item.state === 'ready' && item.info);
  },
});

const ownModelsQuery = queryOptions({
  queryKey: ['models', 'to train'],
  queryFn: async () =>
    (await unwrap(api().GET('/api/v1/models', { params: { query: { limit: 200 } } }))).items,
});

/** Templates and models to pick from, and the whole of the one picked. */
export function useChoice(id: string | null, initial: AnyRecord | null) {
  const templates = useQuery(templatesQuery);
  const models = useQuery(ownModelsQuery);
  const modelId = id?.startsWith('model:') ? id.slice('model:'.length) : null;
  const draft = useQuery(draftQuery(modelId));
  const template = templates.data?.find((item) => `template:${item.name}` === id);
  let choice: Choice | null = null;
  if (template) {
    const { title, doc, task, training, dataset_id } = template;
    choice = { id: id!, label: title, doc, task, training, dataset: dataset_id, model: null, ref: null };
  } else if (modelId && draft.data) {
    const { model, draft: found } = draft.data;
    choice = {
      id: id!,
      label: model.name,
      doc: found.doc,
      task: {},
      training: {},
      dataset: null,
      model,
      ref: null,
    };
  } else if (id === 'job' && initial) {
    const spec = initial as unknown as Schemas['SeastarSpec'];
    choice = {
      id,
      label: 'Model of the earlier job',
      doc: spec.model,
      task: (spec.task ?? {}) as AnyRecord,
      training: {},
      dataset: spec.dataset,
      model: null,
      ref: spec.model_ref ?? null,
    };
  }
  return { templates, models, choice, error: templates.error ?? draft.error };
}

/** What the server makes of the document on the dataset: problems, sizes, the work of an epoch. */
export function useCheck(doc: ModelDoc | undefined, datasetId: string | null) {
  return useQuery({
    queryKey: ['model-validation', doc, datasetId],
    enabled: doc !== undefined,
    staleTime: 60_000,
    queryFn: () =>
      unwrap(api().POST('/api/v1/model-validations', { body: { doc: doc!, dataset_id: datasetId } })),
  });
}

/** Seconds an epoch took when the same model was last trained on the same dataset, from the jobs kept here. */
export function useEpochSeconds(
  kind: string,
  doc: ModelDoc | undefined,
  datasetId: string | null,
): number | null {
  const { data } = useQuery({
    queryKey: ['jobs-done', kind],
    staleTime: 0,
    queryFn: async () => {
      const query = { kind, state: 'succeeded', limit: 50 };
      return (await unwrap(api().GET('/api/v1/jobs', { params: { query } }))).items;
    },
  });
  const nodes = JSON.stringify(doc?.nodes);
  const match = data?.find((job) => {
    const spec = job.spec as unknown as Schemas['SeastarSpec'];
    return spec.dataset === datasetId && JSON.stringify(spec.model.nodes) === nodes;
  });
  return (match?.result as Schemas['SeastarResult'] | undefined)?.epoch_s ?? null;
}

/** A run names a version, never a draft: a draft that differs is kept as a version first. */
export async function pinned(choice: Choice): Promise<Schemas['ModelRef'] | null> {
  const { model } = choice;
  if (!model) return choice.ref;
  if (model.newest_version > 0 && !model.draft_differs) {
    return { model_id: model.id, version: model.newest_version, content_hash: model.draft_hash };
  }
  const version = await unwrap(
    api().POST('/api/v1/models/{model_id}/versions', {
      params: { path: { model_id: model.id } },
      headers: { 'If-Match': `"${model.draft_etag}"` },
      body: { note: 'Kept for training' },
    }),
  );
  return { model_id: model.id, version: version.number, content_hash: version.content_hash };
}
