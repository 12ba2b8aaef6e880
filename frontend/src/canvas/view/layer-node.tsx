import { Handle, type NodeProps, Position as Side, useStore } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { type LayerInfo, type PortInfo, portsOf, readsNeighbours, titleOf } from '../model/catalog';
import { problemsOfNode } from '../model/checks';
import type { Held } from '../model/connect';
import { type DocNode, findNode, type ModelDoc, type Wire, wiresFrom, wiresInto } from '../model/document';
import { HEAD, isSnapped, isUnary, ROW } from '../model/geometry';
import { joinPorts } from './connect-actions';
import { handleId } from './handles';
import { summary } from './param-text';
import { kindColour, PortGlyph } from './port-glyph';
import { useEditor, useEditorStore } from './store';

/** Further out than this nobody reads ports and settings, so they are not drawn. */
const DETAIL_FROM_ZOOM = 0.4;

/** One layer on the canvas. Takes only its id and reads its own slice, so dragging one node redraws one node. */
export const LayerNode = memo(function LayerNode({ id }: NodeProps) {
  const node = useEditor((state) => findNode(state.history.doc, id));
  return node ? <LayerBox node={node} /> : null;
});

function LayerBox({ node }: { node: DocNode }) {
  const catalog = useEditor((state) => state.catalog);
  const wires = useEditor((state) => state.history.doc.wires);
  const checks = useEditor((state) => state.checks);
  const selected = useEditor((state) => state.selectedNodes.has(node.id));
  const store = useEditorStore();
  const layer = catalog.byType.get(node.type);
  const { inputs, outputs } = useMemo(
    () => portsOf(catalog, { ...store.getState().history.doc, wires }, node),
    [catalog, wires, node, store],
  );
  const problems = problemsOfNode(checks, node.id);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const unary = isUnary(layer);
  const small = useStore((state) => state.transform[2] < DETAIL_FROM_ZOOM);
  return (
    <div
      className="layer"
      data-selected={selected || undefined}
      data-reads={readsNeighbours(layer) || undefined}
      data-unknown={!layer || undefined}
      data-problem={errors.length > 0 ? 'error' : problems.length > 0 ? 'warning' : undefined}
      data-unary={unary || undefined}
      title={problems.map((problem) => problem.message).join('\n') || undefined}
    >
      <div className="layer-head">
        <b className="ellipsis">{titleOf(catalog, node)}</b>
        {unary && !small && <span className="layer-value">{summary(layer, node, 1)}</span>}
        {problems.length > 0 && <ProblemBadge count={problems.length} error={errors.length > 0} />}
      </div>
      {inputs.map((port, i) => (
        <Port
          key={`in ${port.name}`}
          node={node.id}
          port={port}
          side="input"
          row={unary ? -1 : i}
          small={small}
        />
      ))}
      {outputs.map((port, i) => (
        <Port
          key={`out ${port.name}`}
          node={node.id}
          port={port}
          side="output"
          row={unary ? -1 : i}
          small={small}
        />
      ))}
      {!unary && !small && (
        <Foot layer={layer} node={node} rows={Math.max(1, inputs.length, outputs.length)} />
      )}
    </div>
  );
}

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
  const text = layer ? summary(layer, node, 2) : `“${node.type}” is not known here`;
  return text ? (
    <div className="layer-foot ellipsis" style={{ top: HEAD + ROW * rows }}>
      {text}
    </div>
  ) : null;
}

function Port({
  node,
  port,
  side,
  row,
  small,
}: {
  node: string;
  port: PortInfo;
  side: 'input' | 'output';
  row: number;
  small: boolean;
}) {
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
  const tap = (event: React.MouseEvent) => {
    const { inHand, pickUp } = store.getState();
    const box = (event.currentTarget as HTMLElement).closest('.canvas')?.getBoundingClientRect();
    if (!inHand) pickUp(held);
    else
      joinPorts(store, inHand.held, held, {
        x: event.clientX - (box?.left ?? 0),
        y: event.clientY - (box?.top ?? 0),
      });
  };
  return (
    <Handle
      type={side === 'input' ? 'target' : 'source'}
      position={side === 'input' ? Side.Left : Side.Right}
      id={handleId(side, port.name)}
      className="port"
      style={{ top: row < 0 ? HEAD / 2 : HEAD + ROW * row + ROW / 2 }}
      data-side={side}
      data-fit={fit}
      data-wired={wired || undefined}
      data-snapped={snapped || undefined}
      data-port={`${node}.${port.name}`}
      isConnectable={!readOnly}
      onClick={readOnly ? undefined : tap}
      title={`${port.name}: ${port.kind}. ${port.doc}`}
    >
      {small ? (
        <i className="port-dot" style={{ background: kindColour(port.kind) }} />
      ) : (
        <PortGlyph kind={port.kind} />
      )}
      {row >= 0 && !small && <span className="port-name">{port.name}</span>}
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
