/** The drawing of a program's text, and edits of it, by the server. */
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';
import type { ModelDoc, Scalar } from '../model/document';
import { docFor } from '../view/use-catalog';
import type { ProgramGraph } from './graph';
import type { ProgramEdit } from './judge';

export type Bindings = Readonly<Record<string, Scalar>>;

export function readGraph(source: string, bindings: Bindings): Promise<ProgramGraph> {
  return unwrap(api().POST('/api/v1/program-graphs', { body: { source, bindings: { ...bindings } } }));
}

export function editProgram(
  source: string,
  bindings: Bindings,
  edits: readonly ProgramEdit[],
): Promise<ProgramGraph> {
  return unwrap(
    api().POST('/api/v1/program-edits', { body: { source, bindings: { ...bindings }, edits: [...edits] } }),
  );
}

/** The document with a palette layer's program as the model's own. */
export function ownLayer(
  doc: ModelDoc,
  node: string,
  datasetId: string | null,
): Promise<Schemas['OwnedLayer']> {
  return unwrap(
    api().POST('/api/v1/layers/own', { body: { doc: docFor(doc), node_id: node, dataset_id: datasetId } }),
  );
}

/** The graph of the text as it is now. A text whose answer is late is another text's by then, so none can be stale. */
export function useProgramGraph(source: string | undefined, bindings: Bindings) {
  return useQuery({
    queryKey: ['program-graph', source, bindings],
    queryFn: () => readGraph(source ?? '', bindings),
    enabled: source !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
