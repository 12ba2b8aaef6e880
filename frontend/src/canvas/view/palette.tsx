import IconNote from '@tabler/icons-react/icons/IconNote';
import { useReactFlow } from '@xyflow/react';
import { type PointerEvent, useRef, useState } from 'react';
import type { LayerInfo } from '../model/catalog';
import { findWire, type Position } from '../model/document';
import { insertLayer } from '../model/insert';
import { searchPalette } from '../model/search';
import { insertOnWire, waysThrough } from '../model/splice';
import { kindWord } from '../model/value-types';
import { PortGlyph } from './port-glyph';
import { type PaletteItemProps, paletteItemId, SearchPalette } from './search-palette';
import { placeNote } from './selection-actions';
import { Signature } from './signature';
import { type EditorStore, useEditor, useEditorStore } from './store';
import { wireAt } from './wire-at';

const DRAG_FROM = 5;

/** Every layer, found by a few letters. A click adds it beside what is selected, Enter too; dragging puts it anywhere. */
export function Palette({ onAdded }: { onAdded?: () => void }) {
  const catalog = useEditor((state) => state.catalog);
  const add = useAddLayer(onAdded);
  return (
    <SearchPalette
      noun="layer"
      placeholder="Add a layer"
      items={catalog.layers}
      search={(query) => searchPalette(catalog, query)}
      keyOf={(layer) => layer.type}
      groupOf={(layer) => layer.group}
      onTake={(layer) => add(layer)}
      Item={PaletteItem}
    >
      <AddNote onAdded={onAdded} />
      <Legend layers={catalog.layers} />
    </SearchPalette>
  );
}

/** A comment in the middle of what is seen. */
function AddNote({ onAdded }: { onAdded: (() => void) | undefined }) {
  const store = useEditorStore();
  const middle = useMiddle();
  return (
    <button
      type="button"
      className="palette-item palette-note"
      title="A comment on the canvas (C). What runs does not change."
      onClick={() => {
        placeNote(store, middle());
        onAdded?.();
      }}
    >
      <IconNote size={14} stroke={1.75} />
      <span>Add a note</span>
    </button>
  );
}

function PaletteItem({ item: layer, active = false, option = false, onTake }: PaletteItemProps<LayerInfo>) {
  const { ghost, ...drag } = useDragOut(layer, () => onTake(layer));
  return (
    <>
      <button
        type="button"
        id={paletteItemId(layer.type)}
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

function useMiddle(): () => Position {
  const { screenToFlowPosition } = useReactFlow();
  return () => {
    const box = document.querySelector('.canvas')?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 3 };
    const { x, y } = screenToFlowPosition(middle);
    return { x: Math.round(x), y: Math.round(y) };
  };
}

/** Adds on the wire it was let go on or that is selected, beside the selected node, or in the middle of what is seen. */
function useAddLayer(onAdded?: () => void) {
  const store = useEditorStore();
  const { screenToFlowPosition } = useReactFlow();
  const middle = useMiddle();
  return (layer: LayerInfo, at?: Position) => {
    const { history, catalog, selectedNodes, selectedWires, dispatch, select } = store.getState();
    const place = at && screenToFlowPosition(at);
    const [wire = null] = at ? [wireAt(at)] : selectedNodes.size === 0 ? selectedWires : [];
    const [beside = null] = selectedNodes.size === 1 ? selectedNodes : [];
    const inserted =
      (wire !== null && insertOnWire(catalog, history.doc, layer, wire, place && beforePointer(place))) ||
      insertLayer(catalog, history.doc, layer, {
        fallback: middle(),
        ...(place ? { place: beforePointer(place) } : { beside }),
      });
    dispatch(inserted.command);
    select(new Set([inserted.id]));
    onAdded?.();
  };
}

/** The pointer holds a layer by its head. */
function beforePointer({ x, y }: Position): Position {
  return { x: Math.round(x - 40), y: Math.round(y - 18) };
}

/** Pointer events, not HTML5 drag: works on touch, and a press without a move is a click. */
function useDragOut(layer: LayerInfo, onClick: () => void) {
  const store = useEditorStore();
  const add = useAddLayer();
  const start = useRef<Position | null>(null);
  const [ghost, setGhost] = useState<Position | null>(null);
  const end = () => {
    store.getState().hover(null);
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
        const at = { x: event.clientX, y: event.clientY };
        setGhost(at);
        hoverOverWire(store, layer, at);
      }
    },
    onPointerUp: (event: PointerEvent) => {
      if (
        ghost &&
        document
          .elementsFromPoint(event.clientX, event.clientY)
          .some((one) => one.classList.contains('canvas'))
      ) {
        add(layer, { x: event.clientX, y: event.clientY });
      }
    },
    onPointerCancel: end,
    onClick: () => {
      if (!ghost) onClick();
      end();
    },
  };
}

/** Marks the wire under the pointer, where the layer fits on it. */
function hoverOverWire(store: EditorStore, layer: LayerInfo, at: Position): void {
  const { history, catalog, hover } = store.getState();
  const id = wireAt(at);
  const wire = id === null ? undefined : findWire(history.doc, id);
  hover(wire && waysThrough(catalog, history.doc, layer, wire) ? id : null);
}
