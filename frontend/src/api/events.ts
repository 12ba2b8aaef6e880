import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { EventHub, type ServerEvent, type StreamState } from './event-hub';
import type { ToTab, ToWorker } from './port-messages';

type Deliver = (event: ServerEvent) => void;

/** A way to the event stream: through the shared worker, or straight from this tab. */
export interface Channel {
  subscribe: (topic: string, cursor: number | null, deliver: Deliver) => () => void;
}

/** How the stream is; the live dot and the waiting states read it. */
export const useStream = create<StreamState>(() => ({ status: 'idle', lastEventAt: null }));

/** One connection for the whole browser. */
function throughWorker(): Channel {
  // Vite finds workers by this exact shape: the URL stands inside the call.
  const worker = new SharedWorker(new URL('./events.worker.ts', import.meta.url), {
    type: 'module',
    name: 'asterism-events',
  });
  const listeners = new Map<number, Deliver>();
  let next = 0;
  const tell = (message: ToWorker) => worker.port.postMessage(message);
  worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => {
    if (data.kind === 'state') useStream.setState(data.state);
    else listeners.get(data.key)?.(data.event);
  };
  setInterval(() => tell({ kind: 'alive' }), 60_000);
  addEventListener('pagehide', (event) => event.persisted || tell({ kind: 'bye' }));
  addEventListener('online', () => tell({ kind: 'nudge' }));
  document.addEventListener('visibilitychange', () => document.hidden || tell({ kind: 'nudge' }));
  return {
    subscribe: (topic, cursor, deliver) => {
      const key = next++;
      listeners.set(key, deliver);
      tell({ kind: 'subscribe', key, topic, cursor });
      return () => {
        listeners.delete(key);
        tell({ kind: 'unsubscribe', key });
      };
    },
  };
}

/** Where shared workers do not exist: one connection per tab in view. */
function fromThisTab(): Channel {
  const hub = new EventHub({
    open: (url) => new EventSource(url),
    later: (action, ms) => setTimeout(action, ms),
    now: () => Date.now(),
    onState: (state) => useStream.setState(state),
  });
  addEventListener('online', () => hub.nudge());
  document.addEventListener('visibilitychange', () => (document.hidden ? hub.pause() : hub.resume()));
  return hub;
}

let channel: Channel | null = null;

function theChannel(): Channel {
  channel ??= typeof SharedWorker === 'function' ? throughWorker() : fromThisTab();
  return channel;
}

/** Tests put their own channel here. */
export function setChannel(replacement: Channel | null): void {
  channel = replacement;
}

/** A topic, and after which event it is heard; null means "from now on". */
export type Followed = readonly [topic: string, cursor: number | null];

/**
 * Hears topics while the component is mounted. Of each only the cursor it had when the topics last changed counts; later
 * ones are already covered by the stream.
 */
export function useTopics(followed: readonly Followed[], handler: Deliver): void {
  const latest = useRef({ followed, handler });
  latest.current = { followed, handler };
  const key = followed.map(([topic]) => topic).join();
  useEffect(() => {
    const stops = latest.current.followed.map(([topic, cursor]) =>
      theChannel().subscribe(topic, cursor, (event) => latest.current.handler(event)),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [key]);
}

/** Hears one topic. Pass `undefined` while the snapshot that the cursor comes from is still loading. */
export function useTopic(topic: string, cursor: number | null | undefined, handler: Deliver): void {
  useTopics(cursor === undefined ? [] : [[topic, cursor]], handler);
}
