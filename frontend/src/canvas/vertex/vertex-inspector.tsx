import { type FormEvent, useEffect, useState } from 'react';
import { KeyList } from '@/ui/commands/command-keys';
import { showKeys } from '@/ui/commands/registry';
import { helpFor, useHelp } from '../help/use-help';
import { PortGlyph } from '../view/port-glyph';
import { WeightsList } from '../view/weights-list';
import { drawnNodes, KINDS, nodeOf, outPlaces, type ProgramNode, shapeOf, titleOfNode } from './graph';
import { type Held, judge } from './judge';
import { BOARD_KEYS, removeSelected } from './keys';
import { useVertex, useVertexStore } from './store';

/** The selected node in words: what it is, its operands, its type, where it can be wired. */
export function VertexInspector() {
  const node = useVertex((state) => nodeOf(state.graph, state.selected.node));
  return (
    <aside className="inspector" aria-label="Inspector" tabIndex={-1} data-inspector>
      {node ? <NodeInspector key={node.id} node={node} /> : <ProgramInspector />}
    </aside>
  );
}

function NodeInspector({ node }: { node: ProgramNode }) {
  const store = useVertexStore();
  const readOnly = useVertex((state) => state.readOnly);
  const problems = useVertex((state) => state.graph.problems).filter((one) => one.node_id === node.id);
  const graph = useVertex((state) => state.graph);
  return (
    <>
      <section>
        <h2>{titleOfNode(node)}</h2>
        <p className="caption">
          {[node.name, ...node.blocks].filter(Boolean).join(' · ') || `Line ${node.span.line}`}
        </p>
        <OpHelp op={node.op} />
        {problems.map((one) => (
          <p key={one.message} className="text-err">
            {one.message} {one.hint}
          </p>
        ))}
      </section>
      {node.arguments.length > 0 && (
        <section>
          <h3>Operands</h3>
          {node.arguments.map((_, i) => (
            <Operand key={i} node={node} argument={i} />
          ))}
        </section>
      )}
      {node.can.includes('rename') && (
        <section>
          <h3>Name</h3>
          <TextEdit
            label="Name"
            value={(node.name ?? '').replace(/^[a-z]+\./, '')}
            disabled={readOnly}
            onSave={(name) =>
              void store.getState().edit([{ edit: 'rename', node: node.id, name }], `Rename to ${name}`)
            }
          />
        </section>
      )}
      <section>
        <h3>Type and shape</h3>
        {outPlaces(graph, node).map((place) => (
          <p key={place} className="row">
            <PortGlyph kind={KINDS[place].glyph} /> {KINDS[place].word} <code>{shapeOf(node, place)}</code>
          </p>
        ))}
        {node.value.declared !== null && (
          <p className="caption">
            Declared as “{node.value.declared}”{node.value.per && `, a slice for each ${node.value.per}`}
          </p>
        )}
      </section>
      {node.kind !== 'result' && (
        <section>
          <h3>Connect without dragging</h3>
          <ConnectList node={node} />
        </section>
      )}
      {node.can.includes('delete') && (
        <section>
          <button
            type="button"
            className="btn small danger"
            disabled={readOnly}
            onClick={() => removeSelected(store)}
          >
            Delete
          </button>
        </section>
      )}
    </>
  );
}

/** Formula, rule and example from the op table. */
function OpHelp({ op }: { op: string }) {
  const found = helpFor(useHelp(), op);
  if (!found) return null;
  return (
    <>
      <p className="formula">{found.doc}</p>
      {found.rule && <p className="caption">{found.rule}</p>}
      {found.example && (
        <p className="caption">
          e.g. <code>{found.example}</code>
        </p>
      )}
    </>
  );
}

function Operand({ node, argument }: { node: ProgramNode; argument: number }) {
  const store = useVertexStore();
  const readOnly = useVertex((state) => state.readOnly);
  const operand = node.arguments[argument];
  if (!operand) return null;
  const save = (text: string) =>
    void store
      .getState()
      .edit(
        [{ edit: 'set_argument', node: node.id, argument, text }],
        `Set ${operand.name} of ${node.label}`,
      );
  return (
    <div className="param">
      <span className="row">
        <PortGlyph kind={KINDS[operand.place].glyph} size={9} /> {operand.name}
      </span>
      <TextEdit
        label={`${operand.name} of ${node.label}`}
        value={operand.text}
        disabled={readOnly || !operand.editable}
        onSave={save}
      />
    </div>
  );
}

/** A text that is sent on Enter or when the field is left, not at every letter: half a word is no program. */
function TextEdit({
  label,
  value,
  disabled,
  onSave,
}: {
  label: string;
  value: string;
  disabled: boolean;
  onSave: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const save = () => {
    if (text.trim() !== '' && text !== value) onSave(text.trim());
  };
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        className="field-look mono"
        aria-label={label}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setText(value);
          event.currentTarget.blur();
        }}
      />
    </form>
  );
}

/** Every wire can be made from a list: what fits first, what does not says why. */
function ConnectList({ node }: { node: ProgramNode }) {
  const store = useVertexStore();
  const graph = useVertex((state) => state.graph);
  const readOnly = useVertex((state) => state.readOnly);
  const places = outPlaces(graph, node);
  const value = node.value.place === 'vertex' ? [...new Set([...places, 'source' as const])] : places;
  const [place, setPlace] = useState(value[0] ?? node.value.place);
  const from: Held = { side: 'output', node: node.id, place };
  const ends = drawnNodes(graph).flatMap((target) =>
    target.id === node.id
      ? []
      : target.arguments.map((operand, argument) => {
          const to: Held = { side: 'input', node: target.id, argument };
          const text = `${target.name ?? target.label}.${operand.name} (line ${target.span.line})`;
          return { to, text, ok: judge(graph, from, to).ok };
        }),
  );
  return (
    <div className="row">
      {value.length > 1 && (
        <select
          className="field-look"
          aria-label="Value of"
          value={place}
          onChange={(event) => setPlace(event.target.value as typeof place)}
        >
          {value.map((one) => (
            <option key={one} value={one}>
              {KINDS[one].word}
            </option>
          ))}
        </select>
      )}
      <select
        className="field-look grow"
        aria-label={`Connect ${node.name ?? node.label} to`}
        value=""
        disabled={readOnly}
        onChange={(event) => {
          const end = ends[Number(event.target.value)];
          const box = document.querySelector('.vertex-board')?.getBoundingClientRect();
          if (end) store.getState().join(from, end.to, { x: (box?.width ?? 0) - 180, y: 48 });
        }}
      >
        <option value="">Connect to…</option>
        {[true, false].map((ok) => (
          <optgroup key={String(ok)} label={ok ? 'Fits' : 'Does not fit (says why)'}>
            {ends.map((end, i) =>
              end.ok === ok ? (
                <option key={end.text} value={i}>
                  {end.text}
                </option>
              ) : null,
            )}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

/** Nothing selected: the program's declarations, and what is wrong with it. */
function ProgramInspector() {
  const graph = useVertex((state) => state.graph);
  const store = useVertexStore();
  const readOnly = useVertex((state) => state.readOnly);
  const constants = graph.nodes.filter((node) => node.kind === 'constant');
  return (
    <>
      <section>
        <h2>{graph.name}</h2>
        <p className="caption">{graph.doc}</p>
        {graph.problems.map((one) => (
          <p key={`${one.line} ${one.message}`} className="text-err">
            {one.line !== null && `Line ${one.line}: `}
            {one.message} {one.hint}
          </p>
        ))}
      </section>
      {constants.length > 0 && (
        <section>
          <h3>Constants and their defaults</h3>
          {constants.map((node) => (
            <div key={node.id} className="param">
              <span>{node.name}</span>
              <TextEdit
                label={`Default of ${node.name}`}
                value={node.arguments[0]?.text ?? ''}
                disabled={readOnly}
                onSave={(text) =>
                  void store
                    .getState()
                    .edit([{ edit: 'set_argument', node: node.id, argument: 0, text }], `Set ${node.name}`)
                }
              />
            </div>
          ))}
        </section>
      )}
      <WeightsList />
      {!readOnly && <DeclareForm />}
      <section className="desk-only">
        <h3>Keys</h3>
        <KeyList commands={BOARD_KEYS} />
        <button type="button" className="btn small" onClick={() => showKeys()}>
          All keys <kbd>?</kbd>
        </button>
      </section>
    </>
  );
}

/** A new feature, parameter or constant of the signature. */
function DeclareForm() {
  const store = useVertexStore();
  const [what, setWhat] = useState<'parameter' | 'feature' | 'edge_feature' | 'constant'>('parameter');
  const [name, setName] = useState('');
  const [shape, setShape] = useState('in, out');
  const declare = (event: FormEvent) => {
    event.preventDefault();
    const value = what === 'constant' ? { default: Number(shape) || 0 } : { shape };
    void store
      .getState()
      .edit([{ edit: 'declare', what, name, ...value }], `Declare ${name}`)
      .then((done) => done && setName(''));
  };
  return (
    <section>
      <h3>Declare</h3>
      <form className="stack" onSubmit={declare}>
        <select
          className="field-look"
          aria-label="What to declare"
          value={what}
          onChange={(event) => setWhat(event.target.value as typeof what)}
        >
          <option value="parameter">Parameter ▲</option>
          <option value="feature">Vertex feature ●</option>
          <option value="edge_feature">Edge feature ◆</option>
          <option value="constant">Constant ○</option>
        </select>
        <input
          className="field-look mono"
          aria-label="Name"
          placeholder="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <input
          className="field-look mono"
          aria-label={what === 'constant' ? 'Default' : 'Shape'}
          value={shape}
          onChange={(event) => setShape(event.target.value)}
        />
        <button type="submit" className="btn small" disabled={!/^[A-Za-z_]\w*$/.test(name)}>
          Declare
        </button>
      </form>
    </section>
  );
}
