import { titleOf } from '@/canvas/model/catalog';
import { findNode } from '@/canvas/model/document';
import { removeItems } from '@/canvas/model/edits';
import { groupTree } from '@/canvas/model/groups';
import type { EditorStore } from '@/canvas/view/store';

/** Takes away what is selected; the step is called by what it was. */
export function removeSelected(store: EditorStore): void {
  const { history, catalog, selectedNodes, selectedWires, dispatch } = store.getState();
  const [first] = selectedNodes;
  const node = first === undefined ? undefined : findNode(history.doc, first);
  const name =
    selectedNodes.size > 1
      ? `${selectedNodes.size} items`
      : node
        ? titleOf(catalog, node)
        : first !== undefined
          ? groupTree(history.doc).byId.get(first)?.title || 'note'
          : selectedWires.size > 1
            ? 'wires'
            : 'wire';
  dispatch(removeItems(history.doc, selectedNodes, selectedWires, name));
}
