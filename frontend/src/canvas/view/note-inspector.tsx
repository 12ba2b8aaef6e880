import { removeItems } from '../model/edits';
import { findNote, setNote } from '../model/notes';
import { NoteText } from './note-node';
import { useEditor, useEditorStore } from './store';

const SIDES = [
  ['width', 'Width', 96],
  ['height', 'Height', 48],
] as const;

/** The text and the size of a note, for who does not drag. */
export function NoteInspector({ id }: { id: string }) {
  const store = useEditorStore();
  const note = useEditor((state) => findNote(state.history.doc, id));
  const readOnly = useEditor((state) => state.readOnly);
  if (!note) return null;
  const { dispatch } = store.getState();
  const doc = () => store.getState().history.doc;
  const resize = (side: 'width' | 'height', least: number, value: number) => {
    if (Number.isInteger(value) && value >= least && value <= 1600)
      dispatch(setNote(doc(), id, { [side]: value }), { key: `size ${id}`, at: Date.now() });
  };
  return (
    <section className="note-inspector">
      <h2>Note</h2>
      <NoteText id={id} className="field-look" />
      <div className="row">
        {SIDES.map(([side, label, least]) => (
          <label key={side} className="row">
            {label}
            <input
              type="number"
              className="field-look"
              min={least}
              max={1600}
              step={8}
              defaultValue={note[side]}
              key={note[side]}
              disabled={readOnly}
              onBlur={(event) => resize(side, least, event.target.valueAsNumber)}
            />
          </label>
        ))}
      </div>
      <div className="row">
        <button
          type="button"
          className="btn small danger"
          disabled={readOnly}
          onClick={() => dispatch(removeItems(doc(), new Set([id]), new Set(), 'note'))}
        >
          Delete note
        </button>
      </div>
    </section>
  );
}
