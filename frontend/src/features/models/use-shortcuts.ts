import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import { titleOf } from '@/canvas/model/catalog';
import { findNode, type Position } from '@/canvas/model/document';
import { removeItems } from '@/canvas/model/edits';
import { groupTree } from '@/canvas/model/groups';
import { idsOf } from '@/canvas/model/ids';
import {
  foldSelection,
  groupSelection,
  placeNote,
  selectAlong,
  ungroupSelection,
} from '@/canvas/view/selection-actions';
import type { EditorStore } from '@/canvas/view/store';
import { useEditorStore } from '@/canvas/view/store';
import { tidy } from './tidy';
import { duplicateSelection } from './use-clipboard';

/** Is a person writing in a field? Then keys and the clipboard are the field's. */
export function isTyping(event: Event): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Keys of the editor. With Ctrl (or Cmd) in front where the name says `mod`. */
const KEYS: Readonly<Record<string, (store: EditorStore) => void>> = {
  'mod z': (store) => store.getState().undo(),
  'mod y': (store) => store.getState().redo(),
  'mod shift z': (store) => store.getState().redo(),
  'mod a': (store) => store.getState().select(new Set(idsOf(store.getState().history.doc))),
  'mod d': duplicateSelection,
  'mod g': groupSelection,
  'mod shift g': ungroupSelection,
  e: foldSelection,
  '[': (store) => selectAlong(store, 'up'),
  ']': (store) => selectAlong(store, 'down'),
  delete: removeSelected,
  backspace: removeSelected,
  '/': focusPalette,
  n: focusPalette,
  l: (store) => void tidy(store),
  enter: focusInspector,
  escape: (store) => {
    const { arranging } = store.getState();
    if (arranging) return arranging.cancel();
    const { letGo, refuse, drop, select } = store.getState();
    letGo();
    refuse(null);
    drop(null);
    select(new Set());
  },
};

/** What keys do at either level; the rest is the model's, and the program's keys are its canvas' own. */
const BOTH: ReadonlySet<string> = new Set(['mod z', 'mod y', 'mod shift z', '/']);

/** `inside`: a program is open in place of the model. */
export function useShortcuts(inside: boolean): void {
  const store = useEditorStore();
  const { fitView, screenToFlowPosition } = useReactFlow();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"]')) return;
      const name = `${event.ctrlKey || event.metaKey ? 'mod ' : ''}${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`;
      if (inside && !BOTH.has(name)) return;
      if (name === 'f') void fitView({ padding: 0.12, maxZoom: 1 });
      if (name === 'c') placeNote(store, middleOf(screenToFlowPosition));
      if (name === 'enter' && event.target instanceof HTMLButtonElement) return;
      const act = KEYS[name];
      if (!act) return;
      event.preventDefault();
      act(store);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, fitView, screenToFlowPosition, inside]);
}

/** The middle of what is seen of the canvas. */
function middleOf(place: (at: Position) => Position): Position {
  const box = document.querySelector('.canvas')?.getBoundingClientRect();
  const { x, y } = place({ x: (box?.left ?? 0) + (box?.width ?? 0) / 2, y: (box?.top ?? 0) + 80 });
  return { x: Math.round(x), y: Math.round(y) };
}

function removeSelected(store: EditorStore): void {
  const { history, catalog, selectedNodes, selectedWires, dispatch } = store.getState();
  const [first] = selectedNodes;
  const node = first === undefined ? undefined : findNode(history.doc, first);
  const name =
    selectedNodes.size > 1
      ? `${selectedNodes.size} items`
      : node
        ? titleOf(catalog, node)
        : first !== undefined
          ? groupTree(history.doc).byId.get(first)?.title || 'note'
          : selectedWires.size > 1
            ? 'wires'
            : 'wire';
  dispatch(removeItems(history.doc, selectedNodes, selectedWires, name));
}

function focusPalette(): void {
  document.querySelector<HTMLElement>('[data-palette-search]')?.focus();
}

/** A layer's first setting, a note's text, a group's title: the first of these that is there. */
const FIRST_FIELDS = ['.param input, .param select', '.note-inspector textarea', '.inspector-title input'];

function focusInspector(store: EditorStore): void {
  if (store.getState().selectedNodes.size !== 1) return;
  const inspector = document.querySelector<HTMLElement>('[data-inspector]');
  const found = FIRST_FIELDS.map((field) => inspector?.querySelector<HTMLElement>(field));
  (found.find((field) => field) ?? inspector)?.focus();
}
