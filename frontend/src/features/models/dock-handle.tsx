import { type PointerEvent, useRef } from 'react';

const LEAST = 120;

/** The dock's upper edge: drag it, or move it with the arrow keys. */
export function DockHandle({ height, onChange }: { height: number; onChange: (height: number) => void }) {
  const start = useRef<{ y: number; height: number } | null>(null);
  const most = () => Math.max(LEAST, window.innerHeight - 360);
  const set = (value: number) => onChange(Math.min(most(), Math.max(LEAST, value)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>
    <div
      className="dock-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the dock"
      aria-valuenow={height}
      aria-valuemin={LEAST}
      tabIndex={0}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        start.current = { y: event.clientY, height };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (start.current) set(start.current.height + start.current.y - event.clientY);
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: 24, ArrowDown: -24 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        set(height + by);
      }}
    />
  );
}
