import '@xyflow/react/dist/base.css';
import '../view/canvas.css';
import './vertex.css';
import {
  ConnectionMode,
  type Edge,
  type EdgeTypes,
  type FinalConnectionState,
  type Node,
  type NodeTypes,
  ReactFlow,
  useReactFlow,
  useViewport,
} from '@xyflow/react';
import { type KeyboardEvent, useEffect, useMemo } from 'react';
import { isTyping, keyName } from '@/ui/commands/command';
import { useCommands } from '@/ui/commands/registry';
import { useTraceStore } from '../trace/store';
import { CanvasControls } from '../view/canvas-controls';
import { Overview } from '../view/overview';
import { drawnNodes, drawnWires, titleOfNode, wireKey } from './graph';
import { BOARD_KEYS } from './keys';
import { useVertex, useVertexStore, type VertexStore } from './store';
import { VertexBubble } from './vertex-bubble';
import { heldOf, VertexNode } from './vertex-node';
import { VertexWire } from './vertex-wire';

const nodeTypes: NodeTypes = { vertex: VertexNode };
const edgeTypes: EdgeTypes = { vertex: VertexWire };
/** Below this a program is not shrunk to fit: it begins at its inputs instead. */
const READABLE = 0.62;
const FIT = { padding: 0.06, maxZoom: 1 };

/** A program as a graph in lanes. Positions follow from the text alone, so nothing here moves a node. */
export function VertexCanvas({ onLeave }: { onLeave: () => void }) {
  const store = useVertexStore();
  const graph = useVertex((state) => state.graph);
  const layout = useVertex((state) => state.layout);
  const selected = useVertex((state) => state.selected);
  const readOnly = useVertex((state) => state.readOnly);
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  const nodes = useMemo<Node[]>(
    () =>
      drawnNodes(graph).map((node) => {
        const { x, y, ...size } = layout.boxes.get(node.id) ?? { x: 0, y: 0, width: 92, height: 28 };
        const measured = {
          id: node.id,
          type: 'vertex',
          position: { x, y },
          ...size,
          measured: size,
          data: {},
        };
        const label = [titleOfNode(node), node.name, node.lane].filter(Boolean).join(', ');
        return { ...measured, selected: node.id === selected.node, ariaLabel: label };
      }),
    [graph, layout, selected.node],
  );
  const edges = useMemo<Edge[]>(
    () =>
      drawnWires(graph).map((wire) => ({
        id: wireKey(wire),
        type: 'vertex',
        source: wire.source,
        target: wire.target,
        data: { wire },
        selected: selected.wire?.target === wire.target && selected.wire.argument === wire.argument,
        ariaLabel: `Wire from ${wire.source} to ${wire.target}`,
      })),
    [graph, selected.wire],
  );
  const press = useKeys(store, onLeave);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the nodes inside, which take the focus
    <div className="vertex-board" onKeyDown={press}>
      <ReactFlow
        className="canvas"
        colorMode={theme}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodeClick={(_, node) => choose(store, node.id)}
        onEdgeClick={(_, edge) => {
          const wire = drawnWires(graph).find((one) => wireKey(one) === edge.id);
          if (wire) store.getState().select({ wire: { target: wire.target, argument: wire.argument } });
        }}
        onPaneClick={() => {
          store.getState().select({});
          store.getState().pickUp(null);
        }}
        onConnectStart={(_, { nodeId, handleId }) => store.getState().pickUp(heldOf(nodeId, handleId))}
        onConnectEnd={(event, connection) => letGo(store, event, connection)}
        isValidConnection={anything}
        connectionMode={ConnectionMode.Loose}
        connectionRadius={24}
        connectOnClick={false}
        deleteKeyCode={null}
        nodesDraggable={false}
        nodesConnectable={!readOnly}
        minZoom={0.1}
        maxZoom={2}
        aria-label="Program canvas"
      >
        <VertexLanes />
        <VertexBubble />
        <KeepInView />
        <Overview label="Overview of the program" />
        <CanvasControls fit={FIT} />
      </ReactFlow>
    </div>
  );
}

function anything(): boolean {
  return true;
}

function choose(store: VertexStore, node: string): void {
  store.getState().select({ node });
}

function letGo(store: VertexStore, event: MouseEvent | TouchEvent, connection: FinalConnectionState): void {
  const from = heldOf(connection.fromHandle?.nodeId, connection.fromHandle?.id);
  const to = heldOf(connection.toHandle?.nodeId, connection.toHandle?.id);
  const point = 'changedTouches' in event ? event.changedTouches[0] : event;
  const box = document.querySelector('.vertex-board .canvas')?.getBoundingClientRect();
  store.getState().pickUp(null);
  if (!from || !to || !point || !box) return;
  store.getState().join(from, to, { x: point.clientX - box.left, y: point.clientY - box.top });
}

function useKeys(store: VertexStore, onLeave: () => void) {
  const { getNodes } = useReactFlow();
  useCommands(BOARD_KEYS);
  return (event: KeyboardEvent) => {
    if (isTyping(event.nativeEvent)) return;
    const name = keyName(event);
    const focused = (event.target as HTMLElement).dataset['id'];
    const board = { store, focused, first: getNodes()[0]?.id, leave: onLeave };
    const key = BOARD_KEYS.find((one) => one.keys.includes(name));
    if (!key?.act(board, name)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** All of it where it can be read so; else as much as can, from the inputs on. The selected node is brought into view. */
function KeepInView() {
  const { fitView, setViewport, getViewport, setCenter } = useReactFlow();
  const name = useVertex((state) => state.graph.name);
  const layout = useVertex((state) => state.layout);
  const selected = useVertex((state) => state.selected.node);
  const trace = useTraceStore();
  useEffect(() => {
    const begin = async () => {
      await fitView(FIT);
      const { zoom } = getViewport();
      const board = document.querySelector('.vertex-board')?.getBoundingClientRect();
      if (zoom >= READABLE || !board) return;
      const boxes = [...layout.boxes.values()];
      const bottom = Math.max(0, ...boxes.map((box) => box.y + box.height));
      const y = Math.max(56, (board.height - bottom * READABLE) / 2);
      await setViewport({ x: 32, y, zoom: READABLE });
    };
    const timer = setTimeout(() => void begin(), 40);
    return () => clearTimeout(timer);
  }, [name]);
  useEffect(() => {
    const box = selected === null ? undefined : layout.boxes.get(selected);
    if (!box) return;
    trace.getState().hover(null);
    const { x, y, zoom } = getViewport();
    const board = document.querySelector('.vertex-board')?.getBoundingClientRect();
    const [left, top] = [box.x * zoom + x, box.y * zoom + y];
    const inside =
      board && left > 0 && top > 28 && left + box.width * zoom < board.width && top < board.height - 20;
    if (!inside) void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom });
  }, [selected, layout, trace, getViewport, setViewport, setCenter]);
  return null;
}

function VertexLanes() {
  const lanes = useVertex((state) => state.layout.lanes);
  const { x, zoom } = useViewport();
  return (
    <div className="lanes" aria-hidden="true">
      {lanes.map((lane, i) => (
        <div
          key={lane.key}
          className="lane"
          data-tinted={i % 2 === 1 || undefined}
          style={{ left: x + lane.from * zoom, width: (lane.to - lane.from) * zoom }}
        >
          <div className="lane-head">
            <b>{lane.title}</b>
            <span>{lane.note}</span>
          </div>
        </div>
      ))}
    </div>
  );
}
