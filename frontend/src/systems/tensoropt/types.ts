import type { AnyRecord, Job, Schemas } from '@/api/types';

export type TensoroptSpec = Schemas['TensoroptSpec'];
export type Planned = Schemas['Planned'];
export type Ran = Schemas['Ran'];
export type Frontier = Schemas['FrontierOf'];
export type Costed = Schemas['Point'] | Schemas['Named'];
export type StrategyDocument = Schemas['StrategyDocument'];

export function specOf(spec: Job['spec'] | AnyRecord): TensoroptSpec {
  return spec as unknown as TensoroptSpec;
}

function outcomeOf(job: Job): Planned | Ran | undefined {
  return (job.result as unknown as Schemas['TensoroptResult'] | null)?.outcome;
}

/** What a finished job planned; null before, and for jobs that run a strategy. */
export function plannedOf(job: Job): Planned | null {
  const outcome = outcomeOf(job);
  return outcome?.type === 'plan' ? outcome : null;
}

/** What a finished run showed; null before, and for jobs that plan. */
export function ranOf(job: Job): Ran | null {
  const outcome = outcomeOf(job);
  return outcome?.type === 'run' ? outcome : null;
}
