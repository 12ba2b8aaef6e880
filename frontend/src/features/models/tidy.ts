import { notifications } from '@mantine/notifications';
import { placeInColumns } from '@/canvas/model/columns';
import { arrange } from '@/canvas/model/edits';
import { layoutRequest } from '@/canvas/model/geometry';
import { requestLayout } from '@/canvas/model/request-layout';
import type { EditorStore } from '@/canvas/view/store';

/** Auto-layout off the main thread; one step that undo takes back. Where it takes too long, plain columns stand in. */
export async function tidy(store: EditorStore): Promise<void> {
  const { history, catalog } = store.getState();
  try {
    const places = await requestLayout(layoutRequest(catalog, history.doc)).done;
    store.getState().dispatch(arrange(places));
  } catch (error) {
    const places = placeInColumns(catalog, store.getState().history.doc);
    store.getState().dispatch(arrange(new Map(Object.entries(places))));
    const reason = error instanceof Error ? error.message : String(error);
    notifications.show({ title: 'Laid out in plain columns', message: reason });
  }
}
