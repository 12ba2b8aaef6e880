import type { AnyRecord, Job, Schemas } from '@/api/types';

export type SeastarSpec = Schemas['SeastarSpec'];
export type SeastarResult = Schemas['SeastarResult'];
type HglResult = Schemas['HglResult'];
/** What both kinds of training give. */
export type TrainingResult = Omit<
  HglResult,
  'kind' | 'outcome' | 'types' | 'relations' | 'launches' | 'comparison'
> & {
  outcome: SeastarResult['outcome'] | HglResult['outcome'];
};
export type Profile = Schemas['Profile'];
export type Goal = TrainingResult['outcome']['type'];
export type Outcome = TrainingResult['outcome'];
export type Kernel = Schemas['KernelProfile'];

export function specOf(spec: AnyRecord): SeastarSpec {
  return spec as unknown as SeastarSpec;
}

/** The result of a finished training job; null before and for failed ones. */
export function resultOf(job: Job): TrainingResult | null {
  return job.result as unknown as TrainingResult | null;
}

type Compared = Pick<SeastarResult, 'comparison'> & Partial<Pick<SeastarResult, 'pass_study'>>;

/** What a finished training job was compared with; only some kinds measure passes. */
export function comparedOf(job: Job): Compared | null {
  return job.result as unknown as Compared | null;
}

/** The result of a job over relations; null for every other. */
export function typedOf(job: Job): HglResult | null {
  const found = job.result as unknown as HglResult | null;
  return found?.kind === 'hgl' ? found : null;
}
