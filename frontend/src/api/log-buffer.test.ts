import { describe, expect, it } from 'vitest';
import { type Line, LogBuffer } from './log-buffer';

const line = (text: string): Line => ({ at: '', level: 'info', attempt: 1, text, key: text });

describe('a log buffer', () => {
  it('takes each event once', () => {
    const buffer = new LogBuffer();
    buffer.add(5, [line('a'), line('b')], 2);
    buffer.add(5, [line('a'), line('b')], 2);
    buffer.add(4, [line('older')]);
    buffer.add(6, [line('c')]);
    expect([buffer.lines.map((l) => l.text), buffer.dropped]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('lets the oldest lines go when full', () => {
    const buffer = new LogBuffer(2);
    buffer.add(1, [line('a'), line('b'), line('c')]);
    expect([buffer.lines.map((l) => l.text), buffer.forgotten]).toEqual([['b', 'c'], 1]);
  });
});
