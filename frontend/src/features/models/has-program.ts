import { findNode } from '@/canvas/model/document';
import type { EditorState } from '@/canvas/view/store';

/** Does the layer run a vertex program that can be drawn? */
export function hasProgram(state: EditorState, id: string): boolean {
  const node = findNode(state.history.doc, id);
  const layer = state.catalog.byType.get(node?.type ?? '');
  return node?.type === 'program' || layer?.program_source != null;
}
