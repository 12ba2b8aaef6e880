import { notifications } from '@mantine/notifications';
import { placeInColumns } from '@/canvas/model/columns';
import { arrange } from '@/canvas/model/edits';
import { levelRequest } from '@/canvas/model/level-request';
import { LayoutCancelled, requestLayout } from '@/canvas/model/request-layout';
import type { EditorStore } from '@/canvas/view/store';

/** Auto-layout off the main thread; one step that undo takes back. Where it takes too long, plain columns stand in. */
export async function layOut(store: EditorStore): Promise<void> {
  const { history, catalog, arrange: show, arranging } = store.getState();
  if (arranging) return;
  const job = requestLayout(levelRequest(catalog, history.doc));
  show(job);
  try {
    const places = await job.done;
    store.getState().dispatch(arrange(places));
  } catch (error) {
    if (!(error instanceof LayoutCancelled)) inColumns(store, error);
  } finally {
    store.getState().arrange(null);
  }
}

function inColumns(store: EditorStore, error: unknown): void {
  const { catalog, history, dispatch } = store.getState();
  dispatch(arrange(new Map(Object.entries(placeInColumns(catalog, history.doc)))));
  const reason = error instanceof Error ? error.message : String(error);
  notifications.show({ title: 'Laid out in plain columns', message: reason });
}
