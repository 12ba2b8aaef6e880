import { useEffect, useRef } from 'react';
import { findPort } from '../model/catalog';
import { insertLayer } from '../model/insert';
import { layersFitting } from '../model/search';
import { kindWord, UNKNOWN_KIND } from '../model/value-types';
import { Signature } from './signature';
import { useEditor, useEditorStore } from './store';

/** A wire let go over empty canvas: only the layers that can take it, simplest first. */
export function DropMenu() {
  const store = useEditorStore();
  const dropped = useEditor((state) => state.dropped);
  const catalog = useEditor((state) => state.catalog);
  const doc = useEditor((state) => state.history.doc);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (dropped) box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [dropped]);
  if (!dropped) return null;
  const { from, at, place } = dropped;
  const kind = findPort(catalog, doc, from.end, from.side)?.kind ?? UNKNOWN_KIND;
  const layers = layersFitting(catalog.layers, kind, from.side === 'output' ? 'input' : 'output');
  const close = () => store.getState().drop(null);
  return (
    <div
      ref={box}
      className="drop-menu"
      role="menu"
      aria-label={`Layers for a ${kindWord(kind)}`}
      style={{ left: `min(${at.x}px, calc(100% - 248px))`, top: `min(${at.y}px, calc(100% - 260px))` }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault();
          step(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1);
        }
      }}
    >
      <div className="caption">
        {from.side === 'output' ? `Takes a ${kindWord(kind)}` : `Gives a ${kindWord(kind)}`}
      </div>
      {layers.map((layer) => (
        <button
          key={layer.type}
          type="button"
          role="menuitem"
          className="palette-item"
          onClick={() => {
            const inserted = insertLayer(catalog, doc, layer, { from, place, fallback: place });
            close();
            store.getState().dispatch(inserted.command);
            store.getState().select(new Set([inserted.id]));
          }}
        >
          <span className="ellipsis">{layer.title}</span>
          <Signature layer={layer} />
        </button>
      ))}
    </div>
  );
}

function step(menu: HTMLElement, by: number): void {
  const items = [...menu.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  items[(at + by + items.length) % items.length]?.focus();
}
