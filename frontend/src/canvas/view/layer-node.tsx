import { Handle, type NodeProps, Position as Side, useStore } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { type LayerInfo, type PortInfo, readsNeighbours } from '../model/catalog';
import type { Held } from '../model/connect';
import { type DocNode, type ModelDoc, type Wire, wiresFrom, wiresInto } from '../model/document';
import { HEAD, isSnapped, portTop, ROW } from '../model/geometry';
import { type NodeLook, nodeLooks } from '../model/looks';
import { pinnedWords, SETTING } from '../model/relations';
import { tapPort } from './connect-actions';
import { detailAt } from './detail';
import { handleId } from './handles';
import { MarkBadge, useMark } from './marks';
import { summary } from './param-text';
import { kindColour, PortGlyph } from './port-glyph';
import { useEditor, useEditorStore } from './store';

/** One layer on the canvas. Takes only its id and reads its own look, so dragging one node redraws one node. */
export const LayerNode = memo(
  function LayerNode({ id, selected }: NodeProps) {
    const look = useEditor(({ history, catalog, checks }) =>
      nodeLooks({ doc: history.doc, catalog, checks }).get(id),
    );
    return look ? <LayerBox look={look} selected={selected} /> : null;
  },
  (before, after) => before.id === after.id && before.selected === after.selected,
);

const LayerBox = memo(function LayerBox({ look, selected }: { look: NodeLook; selected: boolean }) {
  const { node, layer, title, inputs, outputs, unary, problems, crowded } = look;
  const detail = useStore(detailAt);
  const small = detail !== 'all';
  const mark = useMark(node.id);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const row = (i: number) => (unary ? null : i);
  const AnyPort = small && crowded ? BarePort : Port;
  return (
    <div
      className="layer"
      data-selected={selected || undefined}
      data-reads={readsNeighbours(layer) || undefined}
      data-unknown={!layer || undefined}
      data-problem={errors.length > 0 ? 'error' : problems.length > 0 ? 'warning' : undefined}
      data-unary={unary || undefined}
      data-mark={mark}
      title={problems.map((problem) => problem.message).join('\n') || undefined}
    >
      {mark && <MarkBadge mark={mark} />}
      {(detail !== 'box' || !crowded) && (
        <div className="layer-head">
          <b className="ellipsis">{title}</b>
          {unary && !small && <span className="layer-value">{summary(layer, node, 1)}</span>}
          {problems.length > 0 && <ProblemBadge count={problems.length} error={errors.length > 0} />}
        </div>
      )}
      {inputs.map((port, i) => (
        <AnyPort key={`in ${port.name}`} node={node.id} port={port} side="input" row={row(i)} small={small} />
      ))}
      {outputs.map((port, i) => (
        <AnyPort
          key={`out ${port.name}`}
          node={node.id}
          port={port}
          side="output"
          row={row(i)}
          small={small}
        />
      ))}
      {!unary && !small && (
        <Foot layer={layer} node={node} rows={Math.max(1, inputs.length, outputs.length)} />
      )}
    </div>
  );
});

function ProblemBadge({ count, error }: { count: number; error: boolean }) {
  const word = error ? 'error' : 'warning';
  return (
    <span className="layer-badge" data-tone={error ? 'err' : 'warn'}>
      {error ? '×' : '!'}
      <span className="visually-hidden">{`${count} ${word}${count === 1 ? '' : 's'}`}</span>
    </span>
  );
}

function Foot({ layer, node, rows }: { layer: LayerInfo | undefined; node: DocNode; rows: number }) {
  const pinned = pinnedWords(node.params[SETTING]);
  const text = layer
    ? [pinned && `only ${pinned}`, summary(layer, node, 2)].filter(Boolean).join(', ')
    : `“${node.type}” is not known here`;
  return text ? (
    <div className="layer-foot ellipsis" style={{ top: HEAD + ROW * rows }}>
      {text}
    </div>
  ) : null;
}

interface PortProps {
  node: string;
  port: PortInfo;
  side: 'input' | 'output';
  row: number | null;
  small: boolean;
}

/** Where wires end in a large model seen from afar: measured and found by React Flow like a handle, without its work. */
function BarePort({ node, port, side, row }: PortProps) {
  const type = side === 'input' ? 'target' : 'source';
  const at = side === 'input' ? Side.Left : Side.Right;
  return (
    <div
      className={`react-flow__handle react-flow__handle-${at} nodrag nopan port bare ${type} connectable connectableend`}
      data-handleid={handleId(side, port.name)}
      data-nodeid={node}
      data-handlepos={at}
      data-id={`1-${node}-${handleId(side, port.name)}-${type}`}
      style={{ top: portTop(row) }}
    />
  );
}

function Port({ node, port, side, row, small }: PortProps) {
  const store = useEditorStore();
  const held = useMemo(() => ({ end: { node, port: port.name }, side }), [node, port.name, side]);
  const fit = useEditor((state) =>
    state.inHand ? fitOf(state.inHand.held, held, state.inHand.judge(held).ok) : undefined,
  );
  const wired = useEditor(({ history: { doc } }) => wiresAt(doc, held).length > 0);
  const snapped = useEditor(({ history: { doc }, catalog }) =>
    wiresAt(doc, held).some((wire) => isSnapped(catalog, doc, wire.source.node, wire.target.node)),
  );
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <Handle
      type={side === 'input' ? 'target' : 'source'}
      position={side === 'input' ? Side.Left : Side.Right}
      id={handleId(side, port.name)}
      className="port"
      style={{ top: portTop(row) }}
      data-side={side}
      data-fit={fit}
      data-wired={wired || undefined}
      data-snapped={snapped || undefined}
      data-port={`${node}.${port.name}`}
      isConnectable={!readOnly}
      onClick={readOnly ? undefined : (event) => tapPort(store, held, event)}
      title={`${port.name}: ${port.kind}. ${port.doc}`}
    >
      {small ? (
        <i className="port-dot" style={{ background: kindColour(port.kind) }} />
      ) : (
        <PortGlyph kind={port.kind} />
      )}
      {row !== null && !small && <span className="port-name">{port.name}</span>}
    </Handle>
  );
}

function wiresAt(doc: ModelDoc, held: Held): readonly Wire[] {
  return held.side === 'input' ? wiresInto(doc, held.end) : wiresFrom(doc, held.end);
}

/** While a wire is held: what fits gets a ring, everything else dims at once. */
function fitOf(held: Held, self: Held, ok: boolean): string {
  if (held.end.node === self.end.node && held.end.port === self.end.port && held.side === self.side)
    return 'self';
  return ok ? 'yes' : 'no';
}
