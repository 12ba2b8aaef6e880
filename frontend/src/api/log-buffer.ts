import type { LogLine } from './types';

export type Line = Pick<LogLine, 'at' | 'level' | 'text' | 'attempt'> & { key: string };

/** Log lines of one job, kept outside React. When full the oldest go and are counted. */
export class LogBuffer {
  lines: Line[] = [];
  /** Lines let go here because there were too many to hold. */
  forgotten = 0;
  /** Lines the job wrote faster than they could be stored. */
  dropped = 0;
  version = 0;
  private lastEvent = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly capacity = 200_000) {}

  /** Adds the lines of events after the last one known; a replay changes nothing. */
  add(eventId: number, lines: readonly Line[], dropped = 0): void {
    if (eventId <= this.lastEvent) return;
    this.lastEvent = eventId;
    this.dropped += dropped;
    for (const line of lines) this.lines.push(line);
    const extra = this.lines.length - this.capacity;
    if (extra > 0) {
      this.lines.splice(0, extra);
      this.forgotten += extra;
    }
    this.version++;
    for (const listener of this.listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
