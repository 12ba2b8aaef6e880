import { useState } from 'react';
import { type LayerInfo, titleOf } from '../model/catalog';
import { problemsOfNode } from '../model/checks';
import { type DocNode, findNode } from '../model/document';
import { setTitle } from '../model/edits';
import { ConnectTo } from './connect-to';
import { NodeParam } from './node-param';
import { PortTable } from './port-table';
import { ProblemList } from './problem-list';
import { ProgramChoice } from './program-choice';
import { ProgramSettings } from './program-settings';
import { RelationsField } from './relations-field';
import { selectAlong } from './selection-actions';
import { useEditor, useEditorStore } from './store';
import { WeightsList } from './weights-list';

export function LayerInspector({ id }: { id: string }) {
  const store = useEditorStore();
  const node = useEditor((state) => findNode(state.history.doc, id));
  const catalog = useEditor((state) => state.catalog);
  const checks = useEditor((state) => state.checks);
  const program = useEditor((state) =>
    state.history.doc.programs.find((one) => one.name === node?.params['program']),
  );
  if (!node) return null;
  const layer = catalog.byType.get(node.type);
  const problems = problemsOfNode(checks, id);
  return (
    <>
      <section>
        <TitleField node={node} placeholder={layer?.title ?? node.type} />
        <p className="caption">
          {layer?.doc ??
            `The layer “${node.type}” is not known to this server. Its wires and settings are kept.`}
        </p>
        {layer?.formula && <p className="formula">{layer.formula}</p>}
      </section>
      {problems.length > 0 && (
        <section>
          <ProblemList problems={problems} />
        </section>
      )}
      {layer && Object.keys(layer.params).length > 0 && <Settings node={node} layer={layer} />}
      {layer?.open_params && program && (
        <ProgramSettings node={node} program={program} known={layer.params} />
      )}
      <WeightsList id={id} />
      <section>
        <h3>Types and shapes</h3>
        <PortTable node={node} />
      </section>
      <section>
        <h3>Select with it</h3>
        <div className="row">
          <button
            type="button"
            className="btn small"
            title="All that feeds it ([)"
            onClick={() => selectAlong(store, 'up')}
          >
            All before
          </button>
          <button
            type="button"
            className="btn small"
            title="All it feeds (])"
            onClick={() => selectAlong(store, 'down')}
          >
            All after
          </button>
        </div>
      </section>
      <section>
        <h3>Connect without dragging</h3>
        <ConnectTo id={id} />
      </section>
    </>
  );
}

function TitleField({ node, placeholder }: { node: DocNode; placeholder: string }) {
  const store = useEditorStore();
  const catalog = useEditor((state) => state.catalog);
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <div className="inspector-title">
      <input
        value={node.title}
        placeholder={placeholder}
        aria-label={`Title of ${titleOf(catalog, node)}`}
        maxLength={80}
        disabled={readOnly}
        onChange={(event) => {
          const { dispatch, history } = store.getState();
          dispatch(setTitle(history.doc, node.id, event.target.value), {
            key: `title ${node.id}`,
            at: Date.now(),
          });
        }}
        onBlur={() => store.getState().closeGesture()}
      />
      <code className="chip">{node.id}</code>
    </div>
  );
}

function Settings({ node, layer }: { node: DocNode; layer: LayerInfo }) {
  const [all, setAll] = useState(false);
  const entries = Object.entries(layer.params);
  const hidden = entries.filter(([, schema]) => schema['x-advanced']);
  const shown = all ? entries : entries.filter(([, schema]) => !schema['x-advanced']);
  return (
    <section>
      <h3>Parameters</h3>
      {shown.map(([name, schema]) =>
        name === 'program' ? (
          <ProgramChoice key={name} node={node} schema={schema} />
        ) : schema['x-relations'] ? (
          <RelationsField key={name} node={node} name={name} schema={schema} />
        ) : (
          <NodeParam key={name} node={node} name={name} schema={schema} />
        ),
      )}
      {hidden.length > 0 && (
        <button type="button" className="btn ghost small" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Fewer settings' : `${hidden.length} more setting${hidden.length === 1 ? '' : 's'}`}
        </button>
      )}
    </section>
  );
}
