import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconWand from '@tabler/icons-react/icons/IconWand';
import { useEffect, useRef } from 'react';

const WIDTH = 344;
const MOST_HEIGHT = 150;

interface Props<F extends { label: string }> {
  title: string;
  message: string;
  fixes: readonly F[];
  /** Where the wire was let go, in pixels of the canvas. */
  at: { x: number; y: number };
  onTake: (fix: F) => void;
  onClose: () => void;
}

/** A refused wire says what was expected, what came and why, and offers what would help; Enter takes the first remedy. */
export function Bubble<F extends { label: string }>({
  title,
  message,
  fixes,
  at,
  onTake,
  onClose,
}: Props<F>) {
  const box = useRef<HTMLDivElement>(null);
  // Another refusal takes the focus anew.
  useEffect(() => box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true }), [at]);
  return (
    <div
      ref={box}
      className="bubble"
      role="alertdialog"
      aria-label={title}
      style={{
        left: `clamp(8px, ${at.x - WIDTH / 2}px, calc(100% - ${WIDTH + 8}px))`,
        top: `min(${at.y + 18}px, calc(100% - ${MOST_HEIGHT}px))`,
        width: WIDTH,
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="bubble-title">
        <IconCircleX size={15} stroke={1.75} />
        {title}
      </div>
      <p>{message}</p>
      <div className="row wrap">
        {fixes.map((fix, i) => (
          <button
            key={fix.label}
            type="button"
            className={i === 0 ? 'btn small primary' : 'btn small'}
            onClick={() => onTake(fix)}
          >
            {i === 0 && <IconWand size={14} stroke={1.75} />}
            {fix.label}
            {i === 0 && <kbd>Enter</kbd>}
          </button>
        ))}
        <button type="button" className="btn small" onClick={onClose}>
          {fixes.length > 0 ? 'Cancel' : 'Close'}
        </button>
      </div>
    </div>
  );
}
