import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import { titleOf } from '@/canvas/model/catalog';
import { findNode } from '@/canvas/model/document';
import { removeItems } from '@/canvas/model/edits';
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
  'mod a': (store) =>
    store.getState().select(new Set(store.getState().history.doc.nodes.map((node) => node.id))),
  'mod d': duplicateSelection,
  delete: removeSelected,
  backspace: removeSelected,
  '/': focusPalette,
  n: focusPalette,
  l: (store) => void tidy(store),
  enter: focusInspector,
  escape: (store) => {
    const { letGo, refuse, drop, select } = store.getState();
    letGo();
    refuse(null);
    drop(null);
    select(new Set());
  },
};

export function useShortcuts(): void {
  const store = useEditorStore();
  const { fitView } = useReactFlow();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"]')) return;
      const name = `${event.ctrlKey || event.metaKey ? 'mod ' : ''}${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`;
      if (name === 'f') void fitView({ padding: 0.12, maxZoom: 1 });
      if (name === 'enter' && event.target instanceof HTMLButtonElement) return;
      const act = KEYS[name];
      if (!act) return;
      event.preventDefault();
      act(store);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, fitView]);
}

function removeSelected(store: EditorStore): void {
  const { history, catalog, selectedNodes, selectedWires, dispatch } = store.getState();
  const [first] = selectedNodes;
  const node = first === undefined ? undefined : findNode(history.doc, first);
  const name =
    selectedNodes.size > 1
      ? `${selectedNodes.size} layers`
      : node
        ? titleOf(catalog, node)
        : selectedWires.size > 1
          ? 'wires'
          : 'wire';
  dispatch(removeItems(history.doc, selectedNodes, selectedWires, name));
}

function focusPalette(): void {
  document.querySelector<HTMLElement>('[data-palette-search]')?.focus();
}

function focusInspector(store: EditorStore): void {
  if (store.getState().selectedNodes.size !== 1) return;
  const inspector = document.querySelector<HTMLElement>('[data-inspector]');
  (inspector?.querySelector<HTMLElement>('.param input, .param select') ?? inspector)?.focus();
}
