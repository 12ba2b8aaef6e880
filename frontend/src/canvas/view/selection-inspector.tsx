import { type Alignment, align } from '../model/align';
import { removeItems } from '../model/edits';
import { groupSelection } from './selection-actions';
import { useEditor, useEditorStore } from './store';

const ALIGNMENTS: readonly (readonly [Alignment, string])[] = [
  ['left', 'Left edges'],
  ['top', 'Top edges'],
  ['columns', 'Space across'],
  ['rows', 'Space down'],
];

/** What can be done with several things at once. */
export function SelectionInspector({ count }: { count: number }) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const remove = () => {
    const { history, selectedNodes, selectedWires, dispatch } = store.getState();
    dispatch(removeItems(history.doc, selectedNodes, selectedWires, `${count} items`));
  };
  const line = (how: Alignment) => {
    const { history, catalog, selectedNodes, dispatch } = store.getState();
    dispatch(align(catalog, history.doc, selectedNodes, how));
  };
  return (
    <>
      <section>
        <h2>{count} selected</h2>
        <p className="caption">Drag one to move all. Ctrl+C copies them with the wires between them.</p>
        <div className="row wrap">
          <button
            type="button"
            className="btn small"
            disabled={readOnly}
            title="Draw a box around them (Ctrl+G)"
            onClick={() => groupSelection(store)}
          >
            Group
          </button>
          <button type="button" className="btn small danger" onClick={remove} disabled={readOnly}>
            Delete {count} items
          </button>
        </div>
      </section>
      <section>
        <h3>Line up</h3>
        <div className="row wrap">
          {ALIGNMENTS.map(([how, label]) => (
            <button
              key={how}
              type="button"
              className="btn small"
              disabled={readOnly}
              onClick={() => line(how)}
            >
              {label}
            </button>
          ))}
        </div>
      </section>
    </>
  );
}
