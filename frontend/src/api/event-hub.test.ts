import { beforeEach, describe, expect, it } from 'vitest';
import { EventHub, type ServerEvent, type Source, type StreamState } from './event-hub';

class FakeSource implements Source {
  onopen: Source['onopen'] = null;
  onerror: Source['onerror'] = null;
  closed = false;
  private readonly listeners = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(readonly url: string) {}

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }

  close(): void {
    this.closed = true;
  }

  send(id: number, type: string, data: object): void {
    const message = { data: JSON.stringify(data), lastEventId: String(id) } as MessageEvent<string>;
    this.listeners.get(type)?.(message);
  }

  open(): void {
    this.onopen?.({} as Event);
  }

  fail(): void {
    this.onerror?.({} as Event);
  }
}

let sources: FakeSource[];
let timers: { action: () => void; ms: number }[];
let states: StreamState[];
let clock: number;

function hub(): EventHub {
  return new EventHub({
    open: (url) => {
      sources.push(new FakeSource(url));
      return sources.at(-1)!;
    },
    later: (action, ms) => timers.push({ action, ms }),
    now: () => clock,
    onState: (state) => states.push(state),
  });
}

function runTimers(): void {
  for (const timer of timers.splice(0)) timer.action();
}

const progress = (job: string) => ({ topic: `job:${job}`, job_id: job, at: 'x', done: 1 });

beforeEach(() => {
  sources = [];
  timers = [];
  states = [];
  clock = 1000;
});

describe('the event hub', () => {
  it('opens one connection for topics joined together', () => {
    const h = hub();
    h.subscribe('jobs', null, () => {});
    h.subscribe('job:a', 7, () => {});
    runTimers();
    expect(sources.map((s) => s.url)).toEqual(['/api/v1/events?topics=jobs,job%3Aa&after_id=7']);
  });

  it('gives each listener every event once and in order across a reconnect', () => {
    const h = hub();
    const seen: number[] = [];
    h.subscribe('job:a', 3, (event) => seen.push(event.id));
    runTimers();
    sources[0]!.open();
    sources[0]!.send(4, 'job.progress', progress('a'));
    sources[0]!.send(6, 'job.progress', progress('a'));
    sources[0]!.fail();
    runTimers();
    expect(sources[1]!.url).toContain('after_id=6');
    for (const id of [5, 6, 7, 9]) sources[1]!.send(id, 'job.progress', progress('a'));
    expect(seen).toEqual([4, 6, 7, 9]);
  });

  it('replays to a late listener without repeating to the earlier one', () => {
    const h = hub();
    const early: number[] = [];
    const late: number[] = [];
    h.subscribe('job:a', 0, (event) => early.push(event.id));
    runTimers();
    for (const id of [1, 2, 3]) sources[0]!.send(id, 'job.progress', progress('a'));
    h.subscribe('job:a', 1, (event) => late.push(event.id));
    runTimers();
    expect(sources[1]!.url).toContain('after_id=1');
    for (const id of [2, 3, 4]) sources[1]!.send(id, 'job.progress', progress('a'));
    expect(early).toEqual([1, 2, 3, 4]);
    expect(late).toEqual([2, 3, 4]);
  });

  it('moves the cursor of quiet topics, so a reconnect does not replay the busy one', () => {
    const h = hub();
    h.subscribe('job:quiet', 1, () => {});
    h.subscribe('job:busy', 1, () => {});
    runTimers();
    sources[0]!.send(90, 'job.progress', progress('busy'));
    sources[0]!.fail();
    runTimers();
    expect(sources[1]!.url).toContain('after_id=90');
  });

  it('leaves no gap before what comes while a late listener of a followed topic waits for its replay', () => {
    const h = hub();
    const seen: number[] = [];
    h.subscribe('job:a', 3, () => {});
    runTimers();
    sources[0]!.open();
    sources[0]!.send(8, 'job.progress', progress('a'));
    h.subscribe('job:a', 5, (event) => seen.push(event.id));
    sources[0]!.send(9, 'job.progress', progress('a'));
    runTimers();
    expect(sources[1]!.url).toContain('after_id=5');
    for (const id of [6, 8, 9]) sources[1]!.send(id, 'job.progress', progress('a'));
    expect(seen).toEqual([6, 8, 9]);
  });

  it('does not move a cursor for a topic the connection does not carry yet', () => {
    const h = hub();
    const seen: number[] = [];
    h.subscribe('job:a', 1, () => {});
    runTimers();
    h.subscribe('job:b', 1, (event) => seen.push(event.id));
    sources[0]!.send(5, 'job.progress', progress('a'));
    runTimers();
    expect(sources[1]!.url).toContain('after_id=1');
    sources[1]!.send(4, 'job.progress', progress('b'));
    expect(seen).toEqual([4]);
  });

  it('sends job events but not their logs to the list of jobs', () => {
    const h = hub();
    const seen: string[] = [];
    h.subscribe('jobs', null, (event) => seen.push(event.type));
    runTimers();
    sources[0]!.send(1, 'job.status', progress('a'));
    sources[0]!.send(2, 'job.log', progress('a'));
    expect(seen).toEqual(['job.status']);
  });

  it('tells everyone to load anew when the server has forgotten', () => {
    const h = hub();
    const seen: ServerEvent[] = [];
    h.subscribe('job:a', 3, (event) => seen.push(event));
    runTimers();
    sources[0]!.send(500, 'resync', {});
    sources[0]!.send(499, 'job.progress', progress('a'));
    sources[0]!.send(501, 'job.progress', progress('a'));
    expect(seen.map((event) => event.type)).toEqual(['resync', 'job.progress']);
  });

  it('says how the connection is', () => {
    const h = hub();
    h.subscribe('jobs', 1, () => {});
    runTimers();
    sources[0]!.open();
    sources[0]!.fail();
    for (let i = 1; i < 4; i++) {
      runTimers();
      sources[i]!.fail();
    }
    runTimers();
    sources[4]!.open();
    expect(states.map((s) => s.status)).toEqual([
      'connecting',
      'live',
      'reconnecting',
      'offline',
      'reconnecting',
      'offline',
      'reconnecting',
      'live',
    ]);
  });

  it('replaces a connection that has been silent when a page comes back', () => {
    const h = hub();
    h.subscribe('jobs', 1, () => {});
    runTimers();
    sources[0]!.open();
    h.nudge();
    expect(sources).toHaveLength(1);
    clock += 60_000;
    h.nudge();
    expect(sources).toHaveLength(2);
    expect(sources[0]!.closed).toBe(true);
  });

  it('closes when nobody listens any more', () => {
    const h = hub();
    const stop = h.subscribe('jobs', 1, () => {});
    runTimers();
    stop();
    expect(sources[0]!.closed).toBe(true);
  });
});
