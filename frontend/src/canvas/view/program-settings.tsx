import type { ParamSchema } from '../model/catalog';
import type { DocNode, VertexProgram } from '../model/document';
import { setParam } from '../model/edits';
import { NodeParam } from './node-param';
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
  const readOnly = useEditor((state) => state.readOnly);
  const declaration = useDeclaration(program.source);
  const settings = declaration ? settingsOf(declaration) : {};
  const left = Object.keys(node.params).filter((name) => !(name in known) && !(name in settings));
  const remove = (name: string) => {
    const { dispatch, history } = store.getState();
    dispatch(setParam(history.doc, node.id, name, undefined));
  };
  if (Object.keys(settings).length === 0 && left.length === 0) return null;
  return (
    <section>
      <h3>Settings of {program.name}</h3>
      {Object.entries(settings).map(([name, schema]) => (
        <NodeParam key={name} node={node} name={name} schema={schema} />
      ))}
      {left.map((name) => (
        <div key={name} className="param" data-error>
          <span>
            {name} {String(node.params[name])}
          </span>
          <button type="button" className="btn small" onClick={() => remove(name)} disabled={readOnly}>
            Remove
          </button>
          <p className="param-hint">The program does not ask for it.</p>
        </div>
      ))}
    </section>
  );
}
