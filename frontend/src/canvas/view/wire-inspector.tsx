import { problemOfWire, typeOfWire } from '../model/checks';
import { findWire, portKey } from '../model/document';
import { disconnect } from '../model/edits';
import { insertOnWire, layersOn } from '../model/splice';
import { typeText } from '../model/value-types';
import { ProblemList } from './problem-list';
import { useEditor, useEditorStore } from './store';

export function WireInspector({ id }: { id: string }) {
  const store = useEditorStore();
  const doc = useEditor((state) => state.history.doc);
  const checks = useEditor((state) => state.checks);
  const readOnly = useEditor((state) => state.readOnly);
  const wire = findWire(doc, id);
  if (!wire) return null;
  const type = typeOfWire(checks, wire);
  const problem = problemOfWire(checks, doc, wire);
  return (
    <section>
      <h2>Wire</h2>
      <dl className="facts">
        <dt>From</dt>
        <dd className="mono">{portKey(wire.source)}</dd>
        <dt>To</dt>
        <dd className="mono">{portKey(wire.target)}</dd>
        <dt>Carries</dt>
        <dd>{type ? typeText(type) : 'not known yet'}</dd>
      </dl>
      {problem && <ProblemList problems={[problem]} />}
      <InsertOnWire id={id} />
      <div className="row">
        <button
          type="button"
          className="btn small danger"
          disabled={readOnly}
          onClick={() => store.getState().dispatch(disconnect(wire))}
        >
          Remove wire
        </button>
      </div>
    </section>
  );
}

/** Any layer can be put on a wire by choosing it, too. */
function InsertOnWire({ id }: { id: string }) {
  const store = useEditorStore();
  const catalog = useEditor((state) => state.catalog);
  const doc = useEditor((state) => state.history.doc);
  const readOnly = useEditor((state) => state.readOnly);
  const wire = findWire(doc, id);
  if (!wire) return null;
  return (
    <select
      className="field-look"
      aria-label="Insert a layer on this wire"
      value=""
      disabled={readOnly}
      onChange={(event) => {
        const layer = catalog.byType.get(event.target.value);
        const inserted = layer && insertOnWire(catalog, doc, layer, id);
        if (!inserted) return;
        store.getState().dispatch(inserted.command);
        store.getState().select(new Set([inserted.id]));
      }}
    >
      <option value="">Insert a layer here…</option>
      {layersOn(catalog, doc, wire).map((layer) => (
        <option key={layer.type} value={layer.type}>
          {layer.title}
        </option>
      ))}
    </select>
  );
}
