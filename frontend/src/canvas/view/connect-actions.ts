/** What happens when two ports are joined, by dragging, tapping or choosing from a list. */
import type { MouseEvent } from 'react';
import type { Held } from '../model/connect';
import { checkConnection } from '../model/connect';
import type { Position } from '../model/document';
import { connect } from '../model/edits';
import type { Fix } from '../model/fixes';
import { applyFix } from '../model/insert';
import type { EditorStore, Refused } from './store';

/** Connects, or leaves the reason and its remedies in the store. `at` is where the bubble points. */
export function joinPorts(store: EditorStore, from: Held, to: Held, at: Position): boolean {
  const { history, catalog, checks, dispatch, letGo, refuse } = store.getState();
  const verdict = checkConnection(history.doc, catalog, checks.types, from, to);
  letGo();
  if (verdict.ok) dispatch(connect(history.doc, verdict.wire));
  else if (verdict.code !== 'same_port') refuse({ refusal: verdict, from, to, at });
  return verdict.ok;
}

/** A tap picks the port up, or joins it with the one in hand. */
export function tapPort(store: EditorStore, held: Held, event: MouseEvent): void {
  const { inHand, pickUp } = store.getState();
  if (!inHand) {
    pickUp(held);
    return;
  }
  const box = event.currentTarget.closest('.canvas')?.getBoundingClientRect();
  joinPorts(store, inHand.held, held, {
    x: event.clientX - (box?.left ?? 0),
    y: event.clientY - (box?.top ?? 0),
  });
}

export function takeFix(store: EditorStore, refused: Refused, fix: Fix): void {
  const { history, catalog, dispatch, refuse } = store.getState();
  const [source, target] =
    refused.from.side === 'output' ? [refused.from.end, refused.to.end] : [refused.to.end, refused.from.end];
  refuse(null);
  dispatch(applyFix(catalog, history.doc, source, target, fix));
}
