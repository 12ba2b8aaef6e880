import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { api, unwrap } from './client';
import { useTopic } from './events';
import { type Line, LogBuffer } from './log-buffer';
import type { LogLine } from './types';

const PAGE = 5000;

/** One event's lines arrive together, so pages are cut at events. */
function addPage(buffer: LogBuffer, items: readonly LogLine[], dropped: number): void {
  const byEvent = new Map<number, Line[]>();
  for (const item of items) {
    const lines = byEvent.get(item.event_id) ?? [];
    lines.push({ ...item, key: `${item.event_id}.${item.index}` });
    byEvent.set(item.event_id, lines);
  }
  let left = dropped;
  for (const [eventId, lines] of byEvent) {
    buffer.add(eventId, lines, left);
    left = 0;
  }
}

async function loadStored(id: string, buffer: LogBuffer, stopped: () => boolean): Promise<number> {
  let after = 0;
  for (;;) {
    const page = await unwrap(
      api().GET('/api/v1/jobs/{job_id}/logs', {
        params: { path: { job_id: id }, query: { after_id: after, limit: PAGE } },
      }),
    );
    if (stopped()) return after;
    addPage(buffer, page.items, page.dropped);
    after = page.next_after_id;
    if (!page.more) return after;
  }
}

export interface JobLogs {
  buffer: LogBuffer;
  loading: boolean;
  error: unknown;
}

/** A job's log: the stored lines page by page, then the live ones. */
export function useJobLogs(id: string): JobLogs {
  const [round, setRound] = useState(0);
  const identity = `${id}/${round}`;
  // A new identity starts a new buffer.
  const buffer = useMemo(() => Object.assign(new LogBuffer(), { identity }), [identity]);
  const [state, setState] = useState<{ cursor?: number; error?: unknown }>({});
  useEffect(() => {
    let stopped = false;
    setState({});
    loadStored(id, buffer, () => stopped).then(
      (cursor) => stopped || setState({ cursor }),
      (error: unknown) => stopped || setState({ error }),
    );
    return () => {
      stopped = true;
    };
  }, [id, buffer]);
  useTopic(`job:${id}`, state.cursor, (event) => {
    if (event.type === 'resync') setRound((n) => n + 1);
    if (event.type !== 'job.log') return;
    const attempt = Number(event.body.attempt ?? 1);
    const lines = (event.body.lines as Omit<Line, 'key' | 'attempt'>[]).map((line, i) => ({
      ...line,
      attempt,
      key: `${event.id}.${i}`,
    }));
    buffer.add(event.id, lines, Number(event.body.dropped ?? 0));
  });
  useSyncExternalStore(buffer.subscribe, () => buffer.version);
  return { buffer, loading: state.cursor === undefined && !state.error, error: state.error };
}
