import type { ParamSchema } from '../model/catalog';
import type { DocNode } from '../model/document';
import { setParam } from '../model/edits';
import { newProgram } from '../model/programs';
import { paramLabel } from './param-text';
import { useEditor, useEditorStore } from './store';

/** Which of the model's own vertex programs a layer runs, and a way to begin one. */
export function ProgramChoice({ node, schema }: { node: DocNode; schema: ParamSchema }) {
  const store = useEditorStore();
  const programs = useEditor((state) => state.history.doc.programs);
  const readOnly = useEditor((state) => state.readOnly);
  const value = String(node.params['program'] ?? '');
  const choose = (name: string) => {
    const { dispatch, history } = store.getState();
    dispatch(setParam(history.doc, node.id, 'program', name));
  };
  const begin = () => {
    const { dispatch, history } = store.getState();
    dispatch(newProgram(history.doc, node.id));
  };
  return (
    <div className="param">
      <label htmlFor={`program-${node.id}`} title={schema.description}>
        {paramLabel('program', schema)}
      </label>
      <select
        id={`program-${node.id}`}
        className="field-look mono"
        value={value}
        disabled={readOnly}
        onChange={(event) => choose(event.target.value)}
      >
        {!programs.some((program) => program.name === value) && (
          <option value={value}>{value || 'none yet'}</option>
        )}
        {programs.map((program) => (
          <option key={program.name}>{program.name}</option>
        ))}
      </select>
      <p className="param-hint">
        <button type="button" className="btn small" onClick={begin} disabled={readOnly}>
          New program
        </button>
      </p>
    </div>
  );
}
