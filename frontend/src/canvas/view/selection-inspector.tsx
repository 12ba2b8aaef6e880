import { removeItems } from '../model/edits';
import { useEditor, useEditorStore } from './store';

export function SelectionInspector({ count }: { count: number }) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const remove = () => {
    const { history, selectedNodes, selectedWires, dispatch } = store.getState();
    dispatch(removeItems(history.doc, selectedNodes, selectedWires, `${count} layers`));
  };
  return (
    <section>
      <h2>{count} layers selected</h2>
      <p className="caption">Drag one to move all. Ctrl+C copies them with the wires between them.</p>
      <div className="row">
        <button type="button" className="btn small danger" onClick={remove} disabled={readOnly}>
          Delete {count} layers
        </button>
      </div>
    </section>
  );
}
