import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

const KEPT_AS = 'asterism.scroll';
const LOOK_MS = 40;
// A list that has not grown to its old length by then is shorter than it was.
const PATIENCE_MS = 5000;
const INPUTS = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

function readKept(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

function keep(places: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify([...places].slice(-200)));
  } catch {
    // Storage may be switched off: places then last as long as the document.
  }
}

/** One step of the browser's history. */
function stepOf(location: ParsedLocation): string {
  return location.state.__TSR_key ?? location.href;
}

/** Scrolls as soon as there is so much to scroll; a reader who does something first is left alone. Returns how to stop. */
export function scrollWhenThere(box: HTMLElement, top: number): () => void {
  const began = Date.now();
  const stop = () => {
    clearInterval(timer);
    for (const input of INPUTS) removeEventListener(input, stop, true);
  };
  const look = () => {
    box.scrollTop = top;
    if (Math.abs(box.scrollTop - top) < 1 || Date.now() - began > PATIENCE_MS) stop();
  };
  for (const input of INPUTS) addEventListener(input, stop, true);
  const timer = setInterval(look, LOOK_MS);
  look();
  return stop;
}

/**
 * Back and forward show a page where it was left, also when its rows come later than the page; a page that is new
 * begins at its top. Filters are in the address, so they come back by themselves.
 */
export function useScrollMemory(box: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const places = readKept();
    let stop = () => {};
    const note = (location: ParsedLocation) => places.set(stepOf(location), box.current?.scrollTop ?? 0);
    const leave = router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && note(fromLocation));
    const arrive = router.subscribe('onRendered', ({ toLocation, fromLocation, pathChanged }) => {
      const top = places.get(stepOf(toLocation));
      stop();
      if (!box.current) return;
      if (top !== undefined) stop = scrollWhenThere(box.current, top);
      else if (pathChanged && fromLocation) box.current.scrollTop = 0;
    });
    const hide = () => {
      note(router.state.location);
      keep(places);
    };
    addEventListener('pagehide', hide);
    return () => {
      leave();
      arrive();
      stop();
      removeEventListener('pagehide', hide);
    };
  }, [router, box]);
}
