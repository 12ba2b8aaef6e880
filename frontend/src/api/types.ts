import type { components } from './schema.gen';

/** Short names for what the API sends. All of them come from the generated schema. */
export type Schemas = components['schemas'];
export type Job = Schemas['JobItem'];
export type JobState = Job['state'];
export type JobAction = Job['actions'][number];
export type JobProgress = Schemas['JobProgress'];
export type LogLine = Schemas['LogLine'];
export type System = Schemas['SystemItem'];
export type Template = Schemas['TemplateItem'];
export type Model = Schemas['ModelItem'];
export type ModelDoc = Schemas['ModelDoc'];
export type Worker = Schemas['WorkerItem'];
export type Queue = Schemas['QueueItem'];

/** One job's spec or result, when its kind is not known here. */
export type AnyRecord = Record<string, unknown>;
