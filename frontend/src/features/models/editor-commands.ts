/** What can be done in the editor, by key, by button and by name. */
import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import type { Position } from '@/canvas/model/document';
import { idsOf } from '@/canvas/model/ids';
import { FIT } from '@/canvas/view/canvas';
import {
  foldSelection,
  groupSelection,
  placeNote,
  selectAlong,
  ungroupSelection,
} from '@/canvas/view/selection-actions';
import { type EditorStore, useEditorStore } from '@/canvas/view/store';
import type { Command } from '@/ui/commands/command';
import { useCommands } from '@/ui/commands/registry';
import { hasProgram } from './has-program';
import { removeSelected } from './remove-selected';
import { tidy } from './tidy';
import { copySelection, duplicateSelection, pasteKept } from './use-clipboard';

export interface Tools {
  readonly fit: () => void;
  /** The middle of what is seen. */
  readonly middle: () => Position;
  /** Draws a layer's program in place of the model. */
  readonly open: (node: string) => void;
  /** Says what of a paste was left out. */
  readonly tell: (notes: readonly string[]) => void;
}

const MODEL = 'Model';
const SELECTED = 'What is selected';

/** Undo and search are the same at both levels. */
export function sharedCommands(store: EditorStore): Command[] {
  const { getState } = store;
  return [
    { title: 'Undo', group: 'Steps', keys: ['mod z'], run: () => getState().undo(), basic: true },
    {
      title: 'Redo',
      group: 'Steps',
      keys: ['mod y', 'mod shift z'],
      run: () => getState().redo(),
      basic: true,
    },
  ];
}

export function modelCommands(store: EditorStore, tools: Tools): Command[] {
  const { getState } = store;
  const some = () => getState().selectedNodes.size > 0;
  const anything = () => some() || getState().selectedWires.size > 0;
  const one = () => {
    const [only] = getState().selectedNodes;
    return getState().selectedNodes.size === 1 ? only : undefined;
  };
  const opens = () => {
    const id = one();
    return id !== undefined && hasProgram(getState(), id);
  };
  return [
    { title: 'Add a layer', group: MODEL, keys: ['/', 'n'], run: focusPalette, basic: true },
    { title: 'Write a note', group: MODEL, keys: ['c'], run: () => placeNote(store, tools.middle()) },
    { title: 'Auto-layout', group: MODEL, keys: ['l'], run: () => void tidy(store), basic: true },
    { title: 'Fit the model in view', group: MODEL, keys: ['f'], run: tools.fit, basic: true },
    {
      title: 'Select all',
      group: MODEL,
      keys: ['mod a'],
      run: () => getState().select(new Set(idsOf(getState().history.doc))),
    },
    { title: 'Choose layers one by one', group: MODEL, gesture: 'Tab', basic: true },
    { title: 'Select in a box', group: MODEL, gesture: 'Shift drag', basic: true },
    { title: 'Add to the selection', group: MODEL, gesture: 'Shift or Ctrl click' },
    { title: 'Put a layer on a wire', group: MODEL, gesture: 'Drop it there' },
    { title: 'See what can take a wire', group: MODEL, gesture: 'Drop it on the ground' },
    { title: 'Let go, select nothing', group: MODEL, keys: ['escape'], run: () => letGo(store) },
    { title: 'Move', group: SELECTED, gesture: 'Arrows', basic: true },
    { title: 'Edit it', group: SELECTED, keys: ['enter'], run: () => focusInspector(store), basic: true },
    {
      title: 'Open its vertex program',
      group: SELECTED,
      keys: ['o'],
      gesture: 'Double click',
      run: () => tools.open(one() ?? ''),
      enabled: opens,
      basic: true,
    },
    {
      title: 'Delete',
      group: SELECTED,
      keys: ['delete', 'backspace'],
      run: () => removeSelected(store),
      enabled: anything,
      basic: true,
    },
    // The browser's own events bring the keys' text, which plain HTTP allows too: `useClipboard`.
    {
      title: 'Copy',
      group: SELECTED,
      gesture: 'Ctrl C',
      run: () => copySelection(store),
      enabled: some,
      basic: true,
    },
    { title: 'Paste', group: MODEL, gesture: 'Ctrl V', run: () => tools.tell(pasteKept(store)), basic: true },
    { title: 'Cut', group: SELECTED, gesture: 'Ctrl X' },
    {
      title: 'Duplicate',
      group: SELECTED,
      keys: ['mod d'],
      run: () => duplicateSelection(store),
      enabled: some,
      basic: true,
    },
    {
      title: 'Select all before it',
      group: SELECTED,
      keys: ['['],
      run: () => selectAlong(store, 'up'),
      enabled: some,
    },
    {
      title: 'Select all after it',
      group: SELECTED,
      keys: [']'],
      run: () => selectAlong(store, 'down'),
      enabled: some,
    },
    { title: 'Group', group: SELECTED, keys: ['mod g'], run: () => groupSelection(store), enabled: some },
    {
      title: 'Ungroup',
      group: SELECTED,
      keys: ['mod shift g'],
      run: () => ungroupSelection(store),
      enabled: some,
    },
    {
      title: 'Fold or unfold a group',
      group: SELECTED,
      keys: ['e'],
      run: () => foldSelection(store),
      enabled: some,
    },
  ];
}

/** Puts them on the page: all of the model's, or at the level below those that both have. */
export function useEditorCommands(
  inside: boolean,
  open: (node: string) => void,
  tell: (notes: readonly string[]) => void,
): void {
  const store = useEditorStore();
  const { fitView, screenToFlowPosition } = useReactFlow();
  const list = useMemo(() => {
    const tools: Tools = {
      fit: () => void fitView(FIT),
      middle: () => middleOf(screenToFlowPosition),
      open,
      tell,
    };
    return inside
      ? [
          ...sharedCommands(store),
          { title: 'Add an operation', group: 'Program', keys: ['/'], run: focusPalette },
        ]
      : [...modelCommands(store, tools), ...sharedCommands(store)];
  }, [inside, store, fitView, screenToFlowPosition, open, tell]);
  useCommands(list);
}

function letGo(store: EditorStore): void {
  const { arranging, letGo: drop, refuse, drop: close, select } = store.getState();
  if (arranging) {
    arranging.cancel();
    return;
  }
  drop();
  refuse(null);
  close(null);
  select(new Set());
}

/** The middle of what is seen of the canvas. */
function middleOf(place: (at: Position) => Position): Position {
  const box = document.querySelector('.canvas')?.getBoundingClientRect();
  const { x, y } = place({ x: (box?.left ?? 0) + (box?.width ?? 0) / 2, y: (box?.top ?? 0) + 80 });
  return { x: Math.round(x), y: Math.round(y) };
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
