import { Handle, type NodeProps, Position as Side } from '@xyflow/react';
import { type MouseEvent, memo } from 'react';
import { useTrace, useTraceStore } from '../trace/store';
import { PortGlyph } from '../view/port-glyph';
import {
  inPorts,
  KINDS,
  nodeOf,
  outPlaces,
  type Place,
  type ProgramNode,
  settingsText,
  shapeOf,
  titleOfNode,
} from './graph';
import { type Held, judge } from './judge';
import { isFlat, isSpine, portY } from './layout';
import { useVertex, useVertexStore } from './store';

/** One operation, declaration or aggregation of a program. */
export const VertexNode = memo(function VertexNode({ id }: NodeProps) {
  const node = useVertex((state) => nodeOf(state.graph, id));
  return node ? <NodeBox node={node} /> : null;
});

function NodeBox({ node }: { node: ProgramNode }) {
  const graph = useVertex((state) => state.graph);
  const selected = useVertex((state) => state.selected.node === node.id);
  const problems = useVertex((state) => state.graph.problems).filter((one) => one.node_id === node.id);
  const lit = useTrace((state) => state.lit.nodes.has(node.id));
  const trace = useTraceStore();
  const flat = isFlat(graph, node);
  const settings = settingsText(node);
  const named = node.name !== null && node.kind !== 'feature' && node.kind !== 'parameter';
  const said = problems.map((one) => `${one.message} ${one.hint}`);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the node around it takes focus and keys; this only lights
    <div
      className="vertex-node"
      data-kind={node.kind}
      data-lane={node.lane}
      data-selected={selected || undefined}
      data-lit={lit || undefined}
      data-flat={flat || undefined}
      data-problem={problems.length > 0 || undefined}
      title={[...node.blocks.map((block) => `in: ${block}`), ...said].join('\n') || undefined}
      onMouseEnter={() => trace.getState().hover({ kind: 'node', id: node.id })}
      onMouseLeave={() => trace.getState().hover(null)}
    >
      <div className="vertex-head">
        <b className="ellipsis">{titleOfNode(node)}</b>
        {node.blocks.length > 0 && <span className="vertex-block">↻</span>}
        {flat && settings && <span className="vertex-setting ellipsis">{settings}</span>}
        {problems.length > 0 && (
          <span className="layer-badge" data-tone="err">
            ×<span className="visually-hidden">{said.join(' ')}</span>
          </span>
        )}
      </div>
      {inPorts(node).map(({ argument, name, place }, row) => (
        <Port
          key={`in ${argument}`}
          held={{ side: 'input', node: node.id, argument }}
          place={place}
          top={portY(graph, node, row)}
          label={flat ? '' : name}
          title={`${node.label}.${name}: takes a ${KINDS[place].word}`}
        />
      ))}
      {outPlaces(graph, node).map((place, row) => (
        <Port
          key={`out ${place}`}
          held={{ side: 'output', node: node.id, place }}
          place={place}
          top={portY(graph, node, row)}
          label=""
          title={`${node.name ?? node.label}: ${KINDS[place].word} ${shapeOf(node, place)}`}
        />
      ))}
      {node.kind === 'aggregate' && <Fan />}
      {!flat && settings && <div className="vertex-foot ellipsis">{settings}</div>}
      {named && <code className="vertex-name ellipsis">{node.name}</code>}
    </div>
  );
}

interface PortProps {
  held: Held;
  place: Place;
  top: number;
  label: string;
  title: string;
}

function Port({ held, place, top, label, title }: PortProps) {
  const store = useVertexStore();
  const readOnly = useVertex((state) => state.readOnly);
  const snapped = useVertex(({ graph, layout }) => {
    const own = graph.wires.filter((wire) =>
      held.side === 'input'
        ? wire.target === held.node && wire.argument === held.argument
        : wire.source === held.node,
    );
    return own.length > 0 && own.every((wire) => isSpine(layout, wire));
  });
  const fit = useVertex((state) =>
    state.inHand ? (judge(state.graph, state.inHand, held).ok ? 'yes' : 'no') : undefined,
  );
  const tap = (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation();
    const { inHand, pickUp, join } = store.getState();
    const box = event.currentTarget.closest('.canvas')?.getBoundingClientRect();
    if (!inHand) pickUp(held);
    else join(inHand, held, { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) });
  };
  return (
    <Handle
      type={held.side === 'input' ? 'target' : 'source'}
      position={held.side === 'input' ? Side.Left : Side.Right}
      id={held.side === 'input' ? `in:${held.argument}` : `out:${held.place}`}
      className="port"
      style={{ top }}
      data-side={held.side}
      data-fit={fit}
      data-wired
      data-snapped={snapped || undefined}
      data-port={`${held.node}.${held.side === 'input' ? held.argument : held.place}`}
      isConnectable={!readOnly}
      onClick={readOnly ? undefined : tap}
      title={title}
    >
      <PortGlyph kind={KINDS[place].glyph} />
      {label && <span className="port-name">{label}</span>}
    </Handle>
  );
}

/** Many edges into one vertex: what an aggregation is. */
function Fan() {
  const ys = [6, 17, 28, 39, 50];
  return (
    <svg className="vertex-fan" viewBox="0 0 76 56" width={76} height={56} aria-hidden="true">
      {ys.map((y) => (
        <g key={y}>
          <path d={`M8 ${y}C36 ${y} 40 28 62 28`} fill="none" stroke="var(--port-edge)" strokeWidth={1.4} />
          <rect x={4} y={y - 3} width={6} height={6} fill="var(--port-source)" />
        </g>
      ))}
      <circle cx={66} cy={28} r={5} fill="var(--surface)" stroke="var(--port-dest)" strokeWidth={2} />
    </svg>
  );
}

export function heldOf(node: string | null | undefined, handle: string | null | undefined): Held | null {
  if (!node || !handle) return null;
  const [side, rest = ''] = [handle.slice(0, handle.indexOf(':')), handle.slice(handle.indexOf(':') + 1)];
  return side === 'in'
    ? { side: 'input', node, argument: Number(rest) }
    : { side: 'output', node, place: rest as Place };
}
