import { useEffect, useRef } from 'react';
import { copyFragment, readFragment, renameInto } from '@/canvas/model/clipboard';
import type { ModelDoc } from '@/canvas/model/document';
import { addFragment } from '@/canvas/model/edits';
import { idsOf } from '@/canvas/model/ids';
import { type EditorStore, useEditorStore } from '@/canvas/view/store';
import { copyText } from '@/ui/clipboard';
import { isTyping } from '@/ui/commands/command';
import { keepCopy, keptCopy } from './clipboard-kept';
import { removeSelected } from './remove-selected';

const STEP = 32;

/** Copy, cut and paste through the browser's own events, which plain http allows too. */
export function useClipboard(onNotes: (notes: readonly string[]) => void): void {
  const store = useEditorStore();
  const pastes = useRef(0);
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const { selectedNodes, history } = store.getState();
      if (isTyping(event) || selectedNodes.size === 0 || !event.clipboardData) return;
      event.preventDefault();
      const text = copyFragment(history.doc, selectedNodes);
      event.clipboardData.setData('text/plain', text);
      keepCopy(text);
      pastes.current = 0;
      if (event.type === 'cut') removeSelected(store);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isTyping(event) || text === '') return;
      event.preventDefault();
      pastes.current += 1;
      onNotes(pasteInto(store, text, pastes.current));
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [store, onNotes]);
}

/** Adds what can be used of a text and selects it; says what was left out. */
export function pasteInto(store: EditorStore, text: string, times: number): readonly string[] {
  const { history, dispatch, select } = store.getState();
  const { fragment, notes } = readFragment(text);
  if (idsOf(fragment).length === 0) return notes.length > 0 ? notes : ['The text holds no layers.'];
  const added = renameInto(history.doc, fragment, { x: STEP * times, y: STEP * times });
  dispatch(addFragment(history.doc, added, `Paste ${countText(added)}`));
  select(new Set(idsOf(added)));
  return notes;
}

function countText({ nodes, notes }: ModelDoc): string {
  const [what, count] =
    nodes.length > 0 ? (['layer', nodes.length] as const) : (['note', notes.length] as const);
  return count === 1 ? what : `${count} ${what}s`;
}

/** A copy beside the original, without the clipboard. */
export function duplicateSelection(store: EditorStore): void {
  const { history, selectedNodes } = store.getState();
  if (selectedNodes.size > 0) pasteInto(store, copyFragment(history.doc, selectedNodes), 1);
}

/** What Ctrl+C does, for a button. */
export function copySelection(store: EditorStore): void {
  const { history, selectedNodes } = store.getState();
  if (selectedNodes.size === 0) return;
  const text = copyFragment(history.doc, selectedNodes);
  keepCopy(text);
  void copyText(text);
}

/** Puts in what was last copied in this browser, in whatever model; says what was left out. */
export function pasteKept(store: EditorStore): readonly string[] {
  const text = keptCopy();
  return text === null ? ['Nothing was copied yet: select layers, then Copy.'] : pasteInto(store, text, 1);
}
