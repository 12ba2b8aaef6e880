import type { StreamState, StreamStatus } from '@/api/event-hub';
import { useStream } from '@/api/events';
import { useLiveJobLists } from '@/api/jobs';
import { clock } from '@/ui/format';

const WORDS: Record<StreamStatus, string> = {
  idle: 'Idle',
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

function title({ status, lastEventAt }: StreamState): string {
  const until = lastEventAt === null ? '' : ` Data up to ${clock(new Date(lastEventAt).toISOString())}.`;
  if (status === 'live') return `News from the server arrives as it happens.${until}`;
  return `No connection to the server right now; it is tried again by itself.${until}`;
}

/** Whether news from the server arrives. */
export function LiveDot() {
  useLiveJobLists();
  const stream = useStream();
  return (
    <span className="live" data-state={stream.status} title={title(stream)} role="status">
      <span>{WORDS[stream.status]}</span>
    </span>
  );
}
