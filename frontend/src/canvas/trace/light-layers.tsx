import { useEffect, useRef } from 'react';
import { useTraceStore } from './store';

/**
 * Layers of the model and what the dock shows of them light one another: the layer under the pointer or the focus its lines,
 * operations and kernels; a line, an operation or a kernel its layer. Written past React, so that no layer is drawn anew.
 */
export function LightLayers() {
  const mark = useRef<HTMLSpanElement>(null);
  const trace = useTraceStore();
  useEffect(() => {
    const board = mark.current?.parentElement;
    if (!board) return;
    const over = (event: Event) => {
      const node = (event.target as HTMLElement).closest<HTMLElement>('.react-flow__node');
      trace.getState().hoverLayer(node?.dataset['id'] ?? null);
    };
    const out = () => trace.getState().hoverLayer(null);
    const light = () => {
      const lit = trace.getState().litLayers();
      for (const node of board.querySelectorAll<HTMLElement>('.react-flow__node'))
        node.toggleAttribute('data-lit', lit.has(node.dataset['id'] ?? ''));
    };
    const stop = trace.subscribe((now, before) => {
      const seen = ['layers', 'held', 'hovered', 'pinned'] as const;
      if (seen.some((key) => now[key] !== before[key])) light();
    });
    board.addEventListener('mouseover', over);
    board.addEventListener('mouseleave', out);
    board.addEventListener('focusin', over);
    board.addEventListener('focusout', out);
    return () => {
      stop();
      trace.getState().hoverLayer(null);
      board.removeEventListener('mouseover', over);
      board.removeEventListener('mouseleave', out);
      board.removeEventListener('focusin', over);
      board.removeEventListener('focusout', out);
    };
  }, [trace]);
  return <span ref={mark} hidden />;
}
