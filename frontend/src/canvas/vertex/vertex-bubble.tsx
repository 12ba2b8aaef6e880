import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconWand from '@tabler/icons-react/icons/IconWand';
import { useEffect, useRef } from 'react';
import { useVertex, useVertexStore } from './store';

const WIDTH = 344;

/** Why a wire was refused, and what would help; Enter takes the first remedy. */
export function VertexBubble() {
  const store = useVertexStore();
  const refused = useVertex((state) => state.refused);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refused) box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [refused]);
  if (!refused) return null;
  const { verdict, at } = refused;
  const close = () => store.getState().refuse(null);
  return (
    <div
      ref={box}
      className="bubble"
      role="alertdialog"
      aria-label={verdict.title}
      style={{
        left: `clamp(8px, ${at.x - WIDTH / 2}px, calc(100% - ${WIDTH + 8}px))`,
        top: `min(${at.y + 18}px, calc(100% - 150px))`,
        width: WIDTH,
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <div className="bubble-title">
        <IconCircleX size={15} stroke={1.75} />
        {verdict.title}
      </div>
      <p>{verdict.message}</p>
      <div className="row wrap">
        {verdict.fixes.map((fix, i) => (
          <button
            key={fix.label}
            type="button"
            className={i === 0 ? 'btn small primary' : 'btn small'}
            onClick={() => {
              close();
              void store.getState().edit(fix.edits, fix.label);
            }}
          >
            {i === 0 && <IconWand size={14} stroke={1.75} />}
            {fix.label}
            {i === 0 && <kbd>Enter</kbd>}
          </button>
        ))}
        <button type="button" className="btn small" onClick={close}>
          {verdict.fixes.length > 0 ? 'Cancel' : 'Close'}
        </button>
      </div>
    </div>
  );
}
