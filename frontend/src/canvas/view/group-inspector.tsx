import { boxOf } from '../model/boxes';
import { removeItems } from '../model/edits';
import { fold, groupTree, itemsWithin, setGroup, ungroup } from '../model/groups';
import { useEditor, useEditorStore } from './store';

/** The settings of a group: its name, folded or not, and the ways to be rid of it. */
export function GroupInspector({ id }: { id: string }) {
  const store = useEditorStore();
  const group = useEditor((state) => groupTree(state.history.doc).byId.get(id));
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const readOnly = useEditor((state) => state.readOnly);
  if (!group) return null;
  const inside = itemsWithin(doc, [id]).length - 1;
  const { dispatch, select } = store.getState();
  return (
    <section>
      <h2>Group</h2>
      <div className="inspector-title">
        <input
          value={group.title}
          placeholder="Title of the group"
          aria-label="Title of the group"
          maxLength={80}
          disabled={readOnly}
          onChange={(event) =>
            dispatch(setGroup(doc, id, { title: event.target.value }, 'Rename group'), {
              key: `title ${id}`,
              at: Date.now(),
            })
          }
          onBlur={() => store.getState().closeGesture()}
        />
      </div>
      <p className="caption">
        {inside === 1 ? 'One thing is' : `${inside} things are`} in it. What runs does not change.
        {boxOf(catalog, doc, id) === null && ' It is empty, so it is not drawn.'}
      </p>
      <div className="row wrap">
        <button
          type="button"
          className="btn small"
          disabled={readOnly}
          aria-keyshortcuts="e"
          onClick={() => dispatch(fold(doc, id, !group.collapsed))}
        >
          {group.collapsed ? 'Expand' : 'Collapse'}
        </button>
        <button
          type="button"
          className="btn small"
          disabled={readOnly}
          onClick={() => {
            dispatch(ungroup(doc, id));
            select(new Set(group.members));
          }}
        >
          Ungroup
        </button>
        <button
          type="button"
          className="btn small danger"
          disabled={readOnly}
          onClick={() => dispatch(removeItems(doc, new Set([id]), new Set(), group.title || 'group'))}
        >
          Delete with all in it
        </button>
      </div>
    </section>
  );
}
