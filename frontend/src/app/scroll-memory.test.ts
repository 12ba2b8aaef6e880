// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scrollWhenThere } from './scroll-memory';

/** A box that scrolls no further than its content reaches. */
function boxOf(): { box: HTMLElement; grow: (most: number) => void } {
  let [top, most] = [0, 0];
  const box = document.createElement('div');
  Object.defineProperty(box, 'scrollTop', {
    get: () => top,
    set: (value: number) => {
      top = Math.min(value, most);
    },
  });
  return {
    box,
    grow: (next) => {
      most = next;
    },
  };
}

describe('D3: a page that is come back to', () => {
  afterEach(() => vi.useRealTimers());

  it('is scrolled once its rows have come', () => {
    vi.useFakeTimers();
    const { box, grow } = boxOf();
    scrollWhenThere(box, 700);
    grow(300);
    vi.advanceTimersByTime(100);
    expect(box.scrollTop).toBe(300);
    grow(1200);
    vi.advanceTimersByTime(100);
    expect(box.scrollTop).toBe(700);
    box.scrollTop = 0;
    vi.advanceTimersByTime(1000);
    expect(box.scrollTop).toBe(0);
  });

  it('leaves a reader alone who has begun to do something', () => {
    vi.useFakeTimers();
    const { box, grow } = boxOf();
    scrollWhenThere(box, 700);
    window.dispatchEvent(new Event('wheel'));
    grow(1200);
    vi.advanceTimersByTime(1000);
    expect(box.scrollTop).toBe(0);
  });

  it('gives up on rows that are gone', () => {
    vi.useFakeTimers();
    const { box, grow } = boxOf();
    scrollWhenThere(box, 700);
    vi.advanceTimersByTime(6000);
    grow(1200);
    vi.advanceTimersByTime(1000);
    expect(box.scrollTop).toBe(0);
  });
});
