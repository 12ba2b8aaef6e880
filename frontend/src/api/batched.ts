import { useCallback, useRef } from 'react';
import type { ServerEvent } from './event-hub';

const BATCH_MS = 250;

/** Hands on together what comes in short succession: a fast job redraws its page four times a second, not more. */
export function useBatched(
  act: (events: readonly ServerEvent[]) => void,
  ms = BATCH_MS,
): (event: ServerEvent) => void {
  const latest = useRef(act);
  latest.current = act;
  const waiting = useRef<ServerEvent[]>([]);
  return useCallback(
    (event) => {
      waiting.current.push(event);
      if (waiting.current.length > 1) return;
      setTimeout(() => latest.current(waiting.current.splice(0)), ms);
    },
    [ms],
  );
}
