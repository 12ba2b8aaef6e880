import type { ServerEvent, StreamState } from './event-hub';

/** From a tab to the shared worker. */
export type ToWorker =
  | { kind: 'subscribe'; key: number; topic: string; cursor: number | null }
  | { kind: 'unsubscribe'; key: number }
  | { kind: 'nudge' }
  | { kind: 'alive' }
  | { kind: 'bye' };

/** From the shared worker to a tab. */
export type ToTab =
  | { kind: 'event'; key: number; event: ServerEvent }
  | { kind: 'state'; state: StreamState };
