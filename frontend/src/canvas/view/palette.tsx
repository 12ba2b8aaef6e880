import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import type { LayerInfo } from '../model/catalog';
import type { Position } from '../model/document';
import { insertLayer } from '../model/insert';
import { paletteIndex, searchPalette } from '../model/search';
import { kindWord } from '../model/value-types';
import { PortGlyph } from './port-glyph';
import { Signature } from './signature';
import { useEditor, useEditorStore } from './store';

const DRAG_FROM = 5;

/** Every layer, found by a few letters. A click adds it beside what is selected, Enter too; dragging puts it anywhere. */
export function Palette({ onAdded }: { onAdded?: () => void }) {
  const catalog = useEditor((state) => state.catalog);
  const index = useMemo(() => paletteIndex(catalog), [catalog]);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = searchPalette(index, catalog, query);
  const searching = query.trim() !== '';
  const add = useAddLayer(onAdded);
  const take = (layer: LayerInfo | undefined) => {
    if (!layer) return;
    add(layer);
    setQuery('');
    setActive(0);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setActive((active + by + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') take(found[active]);
    else if (event.key === 'Escape') {
      setQuery('');
      event.currentTarget.blur();
    }
  };
  return (
    <aside className="palette" aria-label="Layers">
      <label className="palette-search">
        <IconSearch size={14} stroke={1.75} />
        <input
          data-palette-search
          value={query}
          placeholder="Add a layer"
          aria-label="Add a layer: search, then Enter"
          role="combobox"
          aria-expanded={searching}
          aria-controls="palette-list"
          aria-activedescendant={searching && found[active] ? `palette-${found[active].type}` : undefined}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={keys}
        />
        <kbd>/</kbd>
      </label>
      {searching ? (
        <div id="palette-list" className="palette-list" role="listbox" aria-label="Layers found">
          {found.map((layer, i) => (
            <PaletteItem key={layer.type} layer={layer} active={i === active} option onTake={take} />
          ))}
          {found.length === 0 && <p className="caption palette-none">No layer by “{query}”</p>}
        </div>
      ) : (
        <div id="palette-list" className="palette-list">
          <Groups layers={catalog.layers} onTake={take} />
        </div>
      )}
      <Legend layers={catalog.layers} />
    </aside>
  );
}

function Groups({ layers, onTake }: { layers: readonly LayerInfo[]; onTake: (layer: LayerInfo) => void }) {
  const groups = [...new Set(layers.map((layer) => layer.group))];
  return groups.map((group) => (
    <section key={group} aria-label={group}>
      <div className="palette-group">{group.charAt(0).toUpperCase() + group.slice(1)}</div>
      {layers
        .filter((layer) => layer.group === group)
        .map((layer) => (
          <PaletteItem key={layer.type} layer={layer} onTake={onTake} />
        ))}
    </section>
  ));
}

function PaletteItem({
  layer,
  active = false,
  option = false,
  onTake,
}: {
  layer: LayerInfo;
  active?: boolean;
  option?: boolean;
  onTake: (layer: LayerInfo) => void;
}) {
  const { ghost, ...drag } = useDragOut(layer, () => onTake(layer));
  return (
    <>
      <button
        type="button"
        id={`palette-${layer.type}`}
        {...(option ? { role: 'option', 'aria-selected': active } : {})}
        className="palette-item"
        data-active={active || undefined}
        title={`${layer.doc}\n${layer.formula}`}
        {...drag}
      >
        <span className="ellipsis">{layer.title}</span>
        <Signature layer={layer} />
      </button>
      {ghost && (
        <div className="palette-ghost" style={{ left: ghost.x, top: ghost.y }}>
          {layer.title}
        </div>
      )}
    </>
  );
}

function Legend({ layers }: { layers: readonly LayerInfo[] }) {
  const kinds = [
    ...new Set(layers.flatMap((layer) => [...layer.inputs, ...layer.outputs]).map((port) => port.kind)),
  ];
  return (
    <div className="palette-legend">
      {kinds.map((kind) => (
        <span key={kind} className="row">
          <PortGlyph kind={kind} size={9} />
          {kindWord(kind)}
        </span>
      ))}
    </div>
  );
}

/** Adds beside the selected node, wired to it where a port fits; else in the middle of what is seen. */
function useAddLayer(onAdded?: () => void) {
  const store = useEditorStore();
  const { screenToFlowPosition } = useReactFlow();
  return (layer: LayerInfo, at?: Position) => {
    const { history, catalog, selectedNodes, dispatch, select } = store.getState();
    const box = document.querySelector('.canvas')?.getBoundingClientRect();
    const middle = box
      ? screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 3 })
      : { x: 0, y: 0 };
    const [beside = null] = selectedNodes.size === 1 ? selectedNodes : [];
    const where = at ? { place: screenToFlowPosition(at), fallback: middle } : { beside, fallback: middle };
    const inserted = insertLayer(catalog, history.doc, layer, where);
    dispatch(inserted.command);
    select(new Set([inserted.id]));
    onAdded?.();
  };
}

/** Pointer events, not HTML5 drag: works on touch, and a press without a move is a click. */
function useDragOut(layer: LayerInfo, onClick: () => void) {
  const add = useAddLayer();
  const start = useRef<Position | null>(null);
  const [ghost, setGhost] = useState<Position | null>(null);
  const end = () => {
    start.current = null;
    setGhost(null);
  };
  return {
    ghost,
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const from = start.current;
      if (from && (ghost || Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG_FROM)) {
        setGhost({ x: event.clientX, y: event.clientY });
      }
    },
    onPointerUp: (event: PointerEvent) => {
      if (
        ghost &&
        document
          .elementsFromPoint(event.clientX, event.clientY)
          .some((one) => one.classList.contains('canvas'))
      ) {
        add(layer, { x: event.clientX - 40, y: event.clientY - 18 });
      }
    },
    onPointerCancel: end,
    onClick: () => {
      if (!ghost) onClick();
      end();
    },
  };
}
