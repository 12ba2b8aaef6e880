import { notifications } from '@mantine/notifications';
import { arrange } from '@/canvas/model/edits';
import { layoutRequest } from '@/canvas/model/geometry';
import { requestLayout } from '@/canvas/model/request-layout';
import type { EditorStore } from '@/canvas/view/store';

/** Auto-layout off the main thread; one step that undo takes back. */
export async function tidy(store: EditorStore): Promise<void> {
  const { history, catalog } = store.getState();
  try {
    const places = await requestLayout(layoutRequest(catalog, history.doc)).done;
    store.getState().dispatch(arrange(places));
  } catch (error) {
    notifications.show({
      color: 'red',
      title: 'No auto-layout',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
