import type { ParamSchema } from '../model/catalog';
import { problemOfParam } from '../model/checks';
import type { DocNode } from '../model/document';
import { setParam } from '../model/edits';
import { ParamField } from './param-field';
import { useEditor, useEditorStore } from './store';

/** One setting of a layer, with what is wrong with it. What is typed in one go is undone in one go. */
export function NodeParam({ node, name, schema }: { node: DocNode; name: string; schema: ParamSchema }) {
  const store = useEditorStore();
  const error = useEditor((state) => problemOfParam(state.checks, node, name)?.message);
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <ParamField
      name={name}
      schema={schema}
      value={node.params[name]}
      error={error}
      readOnly={readOnly}
      onChange={(value) => {
        const { dispatch, history } = store.getState();
        dispatch(setParam(history.doc, node.id, name, value), {
          key: `param ${node.id} ${name}`,
          at: Date.now(),
        });
      }}
      onLeave={() => store.getState().closeGesture()}
    />
  );
}
