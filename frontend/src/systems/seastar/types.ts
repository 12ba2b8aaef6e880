import type { AnyRecord, Job, Schemas } from '@/api/types';

export type SeastarSpec = Schemas['SeastarSpec'];
export type SeastarResult = Schemas['SeastarResult'];
export type Profile = Schemas['Profile'];
export type Goal = SeastarResult['outcome']['type'];
export type Outcome = SeastarResult['outcome'];
export type Kernel = Schemas['KernelProfile'];

export function specOf(spec: AnyRecord): SeastarSpec {
  return spec as unknown as SeastarSpec;
}

/** The result of a finished training job; null before and for failed ones. */
export function resultOf(job: Job): SeastarResult | null {
  return job.result as unknown as SeastarResult | null;
}
