import { shortName } from '@/ui/format';
import type { ParamSchema } from '../model/catalog';
import { problemOfParam } from '../model/checks';
import type { DocNode } from '../model/document';
import { setParam } from '../model/edits';
import { pin, pinnedIn, type Relation, relationName } from '../model/relations';
import { NodeParam } from './node-param';
import { useEditor, useEditorStore } from './store';

interface FieldProps {
  node: DocNode;
  name: string;
  schema: ParamSchema;
}

/** Relations a layer reads: all, or those listed. Without a dataset their names are typed. */
export function RelationsField({ node, name, schema }: FieldProps) {
  const store = useEditorStore();
  const relations = useEditor((state) => state.relations);
  const error = useEditor((state) => problemOfParam(state.checks, node, name));
  const readOnly = useEditor((state) => state.readOnly);
  if (relations.length === 0)
    return node.type === 'program' ? null : <NodeParam {...{ node, name, schema }} />;
  const pinned = pinnedIn(node.params[name], relations);
  const numbers = pinned?.numbers ?? [];
  const set = (next: readonly number[]) => {
    const { dispatch, history } = store.getState();
    dispatch(pin(history.doc, node.id, next, relations));
  };
  const forget = () => {
    const { dispatch, history } = store.getState();
    dispatch(
      numbers.length > 0
        ? pin(history.doc, node.id, numbers, relations)
        : setParam(history.doc, node.id, name, ''),
    );
  };
  const left = relations.flatMap((relation, number) =>
    numbers.includes(number) ? [] : [{ relation, number }],
  );
  return (
    <div className="param pinned" data-error={error ? true : undefined}>
      <label htmlFor={`pin-${node.id}`} title={schema.description}>
        Relations
      </label>
      <select
        id={`pin-${node.id}`}
        className="field-look"
        value=""
        disabled={readOnly}
        onChange={(event) =>
          set(event.target.value === 'all' ? [] : [...numbers, Number(event.target.value)])
        }
      >
        <option value="">
          {pinned ? `${numbers.length} of ${relations.length}; add…` : `For each of ${relations.length}`}
        </option>
        {pinned && <option value="all">For each of {relations.length}</option>}
        {left.map(({ relation, number }) => (
          <option key={number} value={number}>
            {shown(relation)}
            {relation.edges === 0 ? ' (empty)' : ''}
          </option>
        ))}
      </select>
      <ul>
        {numbers.map((number) => {
          const relation = relations[number];
          const said = relation ? shown(relation) : '';
          return (
            <li key={number} className="chip" title={relation && relationName(relation)}>
              <span className="ellipsis">{said}</span>
              <Remove
                name={said}
                disabled={readOnly}
                onClick={() => set(numbers.filter((one) => one !== number))}
              />
            </li>
          );
        })}
        {pinned?.unknown.map((said) => (
          <li key={said} className="chip err">
            <span className="ellipsis">{said}: not in this dataset</span>
            <Remove name={said} disabled={readOnly} onClick={forget} />
          </li>
        ))}
      </ul>
      {error && <p className="param-hint">{`${error.message} ${error.hint}`}</p>}
    </div>
  );
}

function Remove({ name, disabled, onClick }: { name: string; disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Do not read ${name}`}
      title="Remove"
      disabled={disabled}
      onClick={onClick}
    >
      ×
    </button>
  );
}

function shown(relation: Relation): string {
  return relationName({ ...relation, name: shortName(relation.name) });
}
