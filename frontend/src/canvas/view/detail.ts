/** How much is drawn at a zoom. Further out than this nobody reads ports and settings; further still, no titles. */
import type { ReactFlowState } from '@xyflow/react';

const ALL_FROM_ZOOM = 0.4;
const TITLE_FROM_ZOOM = 0.2;

export type Detail = 'all' | 'title' | 'box';

export function detailAt(state: ReactFlowState): Detail {
  // Before the model was brought into view its zoom means nothing, and drawing it in full would be in vain.
  if (state.fitViewQueued) return 'box';
  const zoom = state.transform[2];
  if (zoom >= ALL_FROM_ZOOM) return 'all';
  return zoom >= TITLE_FROM_ZOOM ? 'title' : 'box';
}

export function isFar(state: ReactFlowState): boolean {
  return detailAt(state) !== 'all';
}
