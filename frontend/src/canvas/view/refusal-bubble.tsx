import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconWand from '@tabler/icons-react/icons/IconWand';
import { useEffect, useRef } from 'react';
import { takeFix } from './connect-actions';
import { useEditor, useEditorStore } from './store';

const WIDTH = 344;

/** A refused wire says what was expected, what came and why, and offers what would help; Enter takes the first remedy. */
export function RefusalBubble() {
  const store = useEditorStore();
  const refused = useEditor((state) => state.refused);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refused) box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [refused]);
  if (!refused) return null;
  const { refusal, at } = refused;
  const close = () => store.getState().refuse(null);
  return (
    <div
      ref={box}
      className="bubble"
      role="alertdialog"
      aria-label={refusal.title}
      style={{
        left: `clamp(8px, ${at.x - WIDTH / 2}px, calc(100% - ${WIDTH + 8}px))`,
        top: at.y + 18,
        width: WIDTH,
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <div className="bubble-title">
        <IconCircleX size={15} stroke={1.75} />
        {refusal.title}
      </div>
      <p>{refusal.message}</p>
      <div className="row wrap">
        {refusal.fixes.map((fix, i) => (
          <button
            key={fix.label}
            type="button"
            className={i === 0 ? 'btn small primary' : 'btn small'}
            onClick={() => takeFix(store, refused, fix)}
          >
            {i === 0 && <IconWand size={14} stroke={1.75} />}
            {fix.label}
            {i === 0 && <kbd>Enter</kbd>}
          </button>
        ))}
        <button type="button" className="btn small" onClick={close}>
          {refusal.fixes.length > 0 ? 'Cancel' : 'Close'}
        </button>
      </div>
    </div>
  );
}
