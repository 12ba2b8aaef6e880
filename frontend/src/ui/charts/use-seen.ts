import { useEffect, useState } from 'react';

/** Tells whether an element is in view, at once and whenever that changes. Returns how to stop. */
export function watchInView(element: Element, tell: (inView: boolean) => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    tell(true);
    return () => {};
  }
  const observer = new IntersectionObserver((entries) => tell(entries.at(-1)!.isIntersecting));
  observer.observe(element);
  return () => observer.disconnect();
}

/** True once the element has been in view: what is below the fold costs nothing until then. */
export function useSeen(ref: React.RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || seen) return;
    return watchInView(element, (inView) => inView && setSeen(true));
  }, [ref, seen]);
  return seen;
}
