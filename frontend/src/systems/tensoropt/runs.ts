import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { jobsQuery, startJob } from '@/api/jobs';
import { randomKey } from '@/api/key';
import type { Job } from '@/api/types';
import { type Plan, planId } from './plans';
import { type StrategyDocument, specOf } from './types';

const MOST_RUNS = 100;
/** Labels by which a run is found again: the job that planned, and the artifact that it runs. */
const PLAN = 'plan';
const POINT = 'point';

export function strategyQuery(job: string, artifact: string) {
  return {
    queryKey: ['strategy', job, artifact] as const,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () =>
      (await unwrap(
        api().GET('/api/v1/jobs/{job_id}/artifacts/{name}', {
          params: { path: { job_id: job, name: artifact } },
        }),
      )) as unknown as StrategyDocument,
  };
}

/** The plan a run was started for; undefined for runs that say none. */
export function planRunBy(job: Job): string | undefined {
  return job.labels[POINT] && planId(job.labels[POINT]);
}

/** Runs of a job's plans by the plan's id, newest first. */
export function useRuns(job: string): ReadonlyMap<string, readonly Job[]> {
  const query = useInfiniteQuery(jobsQuery({ kind: 'tensoropt', label: [`${PLAN}=${job}`] }, MOST_RUNS));
  const runs = new Map<string, Job[]>();
  for (const run of query.data?.pages.flatMap((page) => page.items) ?? []) {
    const id = planRunBy(run);
    if (id) runs.set(id, [...(runs.get(id) ?? []), run]);
  }
  return runs;
}

/** Starts a job that trains the plan's model by one of its strategies. */
export function useRunPlan(job: Job) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ costed }: Plan) => {
      const strategy = await client.fetchQuery(strategyQuery(job.id, costed.artifact));
      const { memory_bytes, step_s } = costed;
      const task = { type: 'run', strategy, predicted: { memory_bytes, step_s }, plan: job.id };
      const spec = { ...specOf(job.spec), name: `${job.name}, ${planId(costed.artifact)}`, task };
      return startJob(spec, randomKey(), { [PLAN]: job.id, [POINT]: costed.artifact });
    },
    onSuccess: (run) => {
      client.setQueryData(['job', run.id], run);
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}

/** Python that does the same, with the strategy fetched instead of written out. */
export function pythonOf(job: Job, { costed }: Plan, origin: string): string {
  const { artifact, memory_bytes, step_s } = costed;
  return `import json

import asterism

a = asterism.connect(${JSON.stringify(origin)})
plan = a.jobs.get(${JSON.stringify(job.id)})
strategy = json.loads(plan.download(${JSON.stringify(artifact)}).read_text())
predicted = {"memory_bytes": ${memory_bytes}, "step_s": ${step_s}}
task = {"type": "run", "strategy": strategy, "predicted": predicted, "plan": plan.id}
spec = plan.spec.to_json() | {"task": task}
run = a.jobs.run(spec, labels={"plan": plan.id, "point": ${JSON.stringify(artifact)}})
print(run.wait().result)
`;
}
