import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';
import { kernelKey } from '@/canvas/trace/lit';

/** How long the kernels of one node took when the model was last profiled. */
export interface NodeTimes {
  readonly byKernel: ReadonlyMap<string, number>;
  readonly jobId: string;
  readonly version: number | null;
  readonly machine: string;
  /** Whether the program that ran is the one shown. */
  readonly same: boolean;
}

export function lastProfileQuery(modelId: string) {
  return queryOptions({
    queryKey: ['models', modelId, 'last profile'],
    queryFn: async () =>
      (
        await unwrap(
          api().GET('/api/v1/models/{model_id}/last-profile', { params: { path: { model_id: modelId } } }),
        )
      ).measured,
    staleTime: 30_000,
  });
}

/** Times of the node's kernels, in seconds an epoch; null where it was never measured. */
export function timesOf(
  measured: Schemas['KernelTimes'] | null | undefined,
  node: string,
  source: string | undefined,
): NodeTimes | null {
  const own = measured?.kernels.filter((kernel) => kernel.node_id === node) ?? [];
  if (!measured || own.length === 0) return null;
  const byKernel = new Map<string, number>();
  for (const { name, phase, time_s } of own) {
    const key = kernelKey({ direction: phase, name });
    byKernel.set(key, (byKernel.get(key) ?? 0) + time_s);
  }
  const ran = measured.programs.find((program) => program.node_id === node)?.text;
  const { job_id: jobId, version, machine } = measured;
  return { byKernel, jobId, version, machine, same: ran === undefined || ran === source };
}

export function useNodeTimes(modelId: string, node: string | null, source: string | undefined) {
  const { data } = useQuery(lastProfileQuery(modelId));
  return useMemo(() => (node === null ? null : timesOf(data, node, source)), [data, node, source]);
}
