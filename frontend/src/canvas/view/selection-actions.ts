/** Commands on what is selected, for keys and buttons alike. */

import { reached } from '../model/connect';
import type { Position } from '../model/document';
import { fold, groupItems, groupTree, ungroup } from '../model/groups';
import { addNote } from '../model/notes';
import type { EditorStore } from './store';

export function groupSelection(store: EditorStore): void {
  const { history, selectedNodes, dispatch, select, readOnly } = store.getState();
  if (readOnly || selectedNodes.size === 0) return;
  const { command, id } = groupItems(history.doc, selectedNodes);
  dispatch(command);
  select(new Set([id]));
}

export function ungroupSelection(store: EditorStore): void {
  const group = selectedGroup(store);
  if (!group) return;
  const { history, dispatch, select } = store.getState();
  dispatch(ungroup(history.doc, group.id));
  select(new Set(group.members));
}

export function foldSelection(store: EditorStore): void {
  const group = selectedGroup(store);
  const { history, dispatch } = store.getState();
  if (group) dispatch(fold(history.doc, group.id, !group.collapsed));
}

/** Selects all that feeds what is selected (up), or all that it feeds (down), with it. */
export function selectAlong(store: EditorStore, direction: 'up' | 'down'): void {
  const { history, selectedNodes, select } = store.getState();
  const found = [...selectedNodes].flatMap((id) => [...reached(history.doc, id, direction)]);
  select(new Set([...selectedNodes, ...found]));
}

export function placeNote(store: EditorStore, at: Position): void {
  const { history, dispatch, select, readOnly } = store.getState();
  if (readOnly) return;
  const { command, id } = addNote(history.doc, at);
  dispatch(command);
  select(new Set([id]));
}

function selectedGroup(store: EditorStore) {
  const { history, selectedNodes, readOnly } = store.getState();
  const [id, ...more] = selectedNodes;
  if (readOnly || id === undefined || more.length > 0) return undefined;
  return groupTree(history.doc).byId.get(id);
}
