/** Lays out off the main thread with a time limit; `cancel` ends the worker at once. */
import type { Position } from './document';
import type { LevelRequest } from './layout-levels';

export const LAYOUT_LIMIT_MS = 2000;

/** Somebody asked for it to stop: no fault, and nothing has changed. */
export class LayoutCancelled extends Error {}

export interface LayoutJob {
  readonly done: Promise<Map<string, Position>>;
  cancel(): void;
}

export function requestLayout(request: LevelRequest): LayoutJob {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  let cancel = () => {};
  const done = new Promise<Map<string, Position>>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(() => reject(new Error('The layout took longer than 2 s and was stopped.'))),
      LAYOUT_LIMIT_MS,
    );
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      worker.terminate();
      settle();
    };
    cancel = () => finish(() => reject(new LayoutCancelled('The layout was cancelled.')));
    worker.onmessage = (event: MessageEvent<[string, Position][]>) =>
      finish(() => resolve(new Map(event.data)));
    worker.onerror = (event) => finish(() => reject(new Error(event.message)));
    worker.postMessage(request);
  });
  return { done, cancel: () => cancel() };
}
