import type { ParamSchema } from '../model/catalog';
import { problemOfParam } from '../model/checks';
import type { DocNode, Scalar, VertexProgram } from '../model/document';
import { setParam } from '../model/edits';
import { ParamField } from './param-field';
import { useEditor, useEditorStore } from './store';
import { settingsOf, useDeclaration } from './use-declaration';

interface SettingsProps {
  node: DocNode;
  program: VertexProgram;
  /** Settings the layer itself has; all others belong to the program. */
  known: Readonly<Record<string, ParamSchema>>;
}

/** Sizes and constants of the model's own vertex program, and settings it no longer has. */
export function ProgramSettings({ node, program, known }: SettingsProps) {
  const store = useEditorStore();
  const checks = useEditor((state) => state.checks);
  const readOnly = useEditor((state) => state.readOnly);
  const declaration = useDeclaration(program.source);
  const settings = declaration ? settingsOf(declaration) : {};
  const left = Object.keys(node.params).filter((name) => !(name in known) && !(name in settings));
  const change = (name: string, value: Scalar | undefined) => {
    const { dispatch, history } = store.getState();
    dispatch(setParam(history.doc, node.id, name, value), {
      key: `param ${node.id} ${name}`,
      at: Date.now(),
    });
  };
  if (Object.keys(settings).length === 0 && left.length === 0) return null;
  return (
    <section>
      <h3>Settings of {program.name}</h3>
      {Object.entries(settings).map(([name, schema]) => (
        <ParamField
          key={name}
          name={name}
          schema={schema}
          value={node.params[name]}
          error={problemOfParam(checks, node, name)?.message}
          readOnly={readOnly}
          onChange={(value) => change(name, value)}
          onLeave={() => store.getState().closeGesture()}
        />
      ))}
      {left.map((name) => (
        <div key={name} className="param" data-error>
          <span>
            {name} {String(node.params[name])}
          </span>
          <button
            type="button"
            className="btn small"
            onClick={() => change(name, undefined)}
            disabled={readOnly}
          >
            Remove
          </button>
          <p className="param-hint">The program does not ask for it.</p>
        </div>
      ))}
    </section>
  );
}
