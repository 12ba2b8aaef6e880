/** One thing the server said. `id` orders everything that happened, across all jobs. */
export interface ServerEvent {
  id: number;
  type: string;
  topic: string;
  jobId: string | null;
  at: string;
  body: Record<string, unknown>;
}

export type StreamStatus = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'offline';

export interface StreamState {
  status: StreamStatus;
  /** When the last event came, in ms since 1970; null before the first. */
  lastEventAt: number | null;
}

/** The part of EventSource the hub needs; tests pass their own. */
export interface Source {
  addEventListener: (type: string, listener: (event: MessageEvent<string>) => void) => void;
  close: () => void;
  onopen: ((event: Event) => void) | null;
  onerror: ((event: Event) => void) | null;
}

export interface HubOptions {
  open: (url: string) => Source;
  later: (action: () => void, ms: number) => unknown;
  now: () => number;
  onState: (state: StreamState) => void;
}

interface Subscription {
  topic: string;
  /** Everything up to this id has been seen; null means "from now on". */
  cursor: number | null;
  /** Whether the open connection began at or before its cursor; until then what comes would leave a gap behind it. */
  joined: boolean;
  deliver: (event: ServerEvent) => void;
}

export const EVENT_TYPES = [
  'job.status',
  'job.progress',
  'job.metrics',
  'job.log',
  'job.artifact',
  'cluster',
  'end',
  'resync',
] as const;
const SETTLE_MS = 15;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5_000;
const QUIET_MS = 20_000;

/**
 * One connection for many listeners.
 *
 * Each listener has its own cursor, so a topic joined late, a reconnect or a replay never shows an event twice and
 * never skips one: the connection is opened at the smallest cursor, and each listener drops what it has seen. Ids
 * come in order, so one event moves every cursor of the connection.
 */
export class EventHub {
  private readonly subscriptions = new Set<Subscription>();
  private source: Source | null = null;
  private connected = new Set<string>();
  private state: StreamState = { status: 'idle', lastEventAt: null };
  private failures = 0;
  private opening = 0;
  private lastSign = 0;
  private paused = false;

  constructor(private readonly options: HubOptions) {}

  /** Hears `topic` from after `cursor` on. Returns how to stop. */
  subscribe(topic: string, cursor: number | null, deliver: (event: ServerEvent) => void): () => void {
    const subscription = { topic, cursor, joined: cursor === null, deliver };
    this.subscriptions.add(subscription);
    this.reopenSoon();
    return () => {
      this.subscriptions.delete(subscription);
      if (this.subscriptions.size === 0) this.close('idle');
    };
  }

  /** A page came back into view or the network returned: make sure the connection is not a dead one. */
  nudge(): void {
    if (this.paused || this.subscriptions.size === 0) return;
    const quiet = this.options.now() - this.lastSign > QUIET_MS;
    if (this.state.status !== 'live' || quiet) this.open();
  }

  pause(): void {
    this.paused = true;
    this.close('idle');
  }

  resume(): void {
    this.paused = false;
    if (this.subscriptions.size > 0 && !this.source) this.open();
  }

  private reopenSoon(): void {
    const ticket = ++this.opening;
    this.options.later(() => ticket === this.opening && this.open(), SETTLE_MS);
  }

  private open(): void {
    this.opening++;
    this.source?.close();
    this.source = null;
    if (this.paused || this.subscriptions.size === 0) return;
    const first = this.state.status === 'idle' || this.state.status === 'connecting';
    if (this.state.status !== 'live') this.setStatus(first ? 'connecting' : 'reconnecting');
    this.listen(this.options.open(this.url()));
  }

  private url(): string {
    this.connected = new Set([...this.subscriptions].map((s) => s.topic));
    for (const s of this.subscriptions) s.joined = true;
    const cursors = [...this.subscriptions].flatMap((s) => (s.cursor === null ? [] : [s.cursor]));
    const after = cursors.length > 0 ? `&after_id=${Math.min(...cursors)}` : '';
    return `/api/v1/events?topics=${[...this.connected].map(encodeURIComponent).join(',')}${after}`;
  }

  private listen(source: Source): void {
    this.source = source;
    this.lastSign = this.options.now();
    const current = (action: () => void) => () => this.source === source && action();
    source.onopen = current(() => this.opened());
    source.onerror = current(() => this.lost());
    for (const type of EVENT_TYPES) {
      source.addEventListener(type, (message) => this.source === source && this.receive(type, message));
    }
  }

  private opened(): void {
    this.failures = 0;
    this.lastSign = this.options.now();
    const again = this.state.status === 'reconnecting' || this.state.status === 'offline';
    this.setStatus('live');
    if (again) this.refreshUnplaced();
  }

  /** Listeners without a cursor cannot be replayed to: they are told to load their data anew. */
  private refreshUnplaced(): void {
    const event: ServerEvent = { id: 0, type: 'resync', topic: '', jobId: null, at: '', body: {} };
    for (const s of this.subscriptions) if (s.cursor === null) s.deliver({ ...event, topic: s.topic });
  }

  private lost(): void {
    this.source?.close();
    this.source = null;
    this.failures++;
    this.setStatus(this.failures > 2 ? 'offline' : 'reconnecting');
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.failures - 1));
    const ticket = ++this.opening;
    this.options.later(() => ticket === this.opening && this.open(), wait);
  }

  private close(status: StreamStatus): void {
    this.opening++;
    this.source?.close();
    this.source = null;
    this.setStatus(status);
  }

  private receive(type: string, message: MessageEvent<string>): void {
    const event = parseEvent(type, message);
    this.lastSign = this.options.now();
    this.setState({ ...this.state, lastEventAt: this.lastSign });
    if (event.type === 'resync') this.resync(event);
    else this.deliver(event);
  }

  private deliver(event: ServerEvent): void {
    for (const s of [...this.subscriptions]) {
      if (event.id > 0 && s.cursor !== null && event.id <= s.cursor) continue;
      if (!s.joined || !this.connected.has(s.topic)) continue;
      if (event.id > 0) s.cursor = event.id;
      if (concerns(s.topic, event)) s.deliver(event);
    }
  }

  /** The server has forgotten what came between: everyone loads their data anew and goes on from here. */
  private resync(event: ServerEvent): void {
    for (const s of [...this.subscriptions]) {
      s.cursor = event.id > 0 ? event.id : s.cursor;
      s.deliver({ ...event, topic: s.topic });
    }
  }

  private setStatus(status: StreamStatus): void {
    if (status !== this.state.status) this.setState({ ...this.state, status });
  }

  private setState(state: StreamState): void {
    this.state = state;
    this.options.onState(state);
  }
}

/** Whether a listener of `topic` wants this event. */
export function concerns(topic: string, event: ServerEvent): boolean {
  if (topic === event.topic) return true;
  if (event.jobId === null) return false;
  return topic === `job:${event.jobId}` || (topic === 'jobs' && event.type !== 'job.log');
}

export function parseEvent(type: string, message: { data: string; lastEventId: string }): ServerEvent {
  const { topic, job_id, at, seq, ...body } = JSON.parse(message.data) as Record<string, unknown>;
  // Pictures of a moment (the cluster) have no place in the order: seq 0. The browser's own lastEventId would lie
  // for them, since it keeps the id of the event before.
  return {
    id: typeof seq === 'number' ? seq : Number(message.lastEventId) || 0,
    type,
    topic: typeof topic === 'string' ? topic : '',
    jobId: typeof job_id === 'string' ? job_id : null,
    at: typeof at === 'string' ? at : '',
    body,
  };
}
