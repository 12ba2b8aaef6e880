// The shared worker: holds the browser's one connection and hands its events to every tab.
// (Browsers allow six connections to a server over HTTP/1.1; one per tab would starve the seventh without a word.)
import { EventHub, type StreamState } from './event-hub';
import type { ToTab, ToWorker } from './port-messages';

interface Tab {
  port: MessagePort;
  stops: Map<number, () => void>;
  lastSeen: number;
}

const SILENT_TAB_MS = 10 * 60_000;
const tabs = new Set<Tab>();
let state: StreamState = { status: 'idle', lastEventAt: null };

const hub = new EventHub({
  open: (url) => new EventSource(url),
  later: (action, ms) => setTimeout(action, ms),
  now: () => Date.now(),
  onState: (next) => {
    state = next;
    for (const tab of tabs) say(tab, { kind: 'state', state });
  },
});

function say(tab: Tab, message: ToTab): void {
  tab.port.postMessage(message);
}

function forget(tab: Tab): void {
  for (const stop of tab.stops.values()) stop();
  tab.stops.clear();
  tabs.delete(tab);
}

function hear(tab: Tab, message: ToWorker): void {
  tab.lastSeen = Date.now();
  tabs.add(tab);
  if (message.kind === 'subscribe') {
    const { key, topic, cursor } = message;
    tab.stops.set(
      key,
      hub.subscribe(topic, cursor, (event) => say(tab, { kind: 'event', key, event })),
    );
  } else if (message.kind === 'unsubscribe') {
    tab.stops.get(message.key)?.();
    tab.stops.delete(message.key);
  } else if (message.kind === 'nudge') hub.nudge();
  else if (message.kind === 'bye') forget(tab);
}

const scope = self as unknown as { onconnect: ((connection: MessageEvent) => void) | null };
scope.onconnect = (connection) => {
  const port = connection.ports[0]!;
  const tab: Tab = { port, stops: new Map(), lastSeen: Date.now() };
  tabs.add(tab);
  port.onmessage = (event: MessageEvent<ToWorker>) => hear(tab, event.data);
  say(tab, { kind: 'state', state });
};

// A port does not say when its tab crashed, so tabs that stay silent are let go.
setInterval(() => {
  for (const tab of tabs) if (Date.now() - tab.lastSeen > SILENT_TAB_MS) forget(tab);
}, 60_000);
