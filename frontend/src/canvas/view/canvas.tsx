import '@xyflow/react/dist/base.css';
import './canvas.css';
import {
  ConnectionMode,
  type Edge,
  type EdgeChange,
  type EdgeTypes,
  type FinalConnectionState,
  MiniMap,
  type Node,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { EMPTY_DOC, findNode, type ModelDoc, type Position, wireId } from '../model/document';
import { moveNodes } from '../model/edits';
import { nodeSize } from '../model/geometry';
import { CanvasControls } from './canvas-controls';
import { joinPorts } from './connect-actions';
import { DropMenu } from './drop-menu';
import { handleId, heldOf } from './handles';
import { Lanes } from './lanes';
import { LayerNode } from './layer-node';
import { RefusalBubble } from './refusal-bubble';
import { type EditorStore, useEditor, useEditorStore } from './store';
import { ValueWire } from './value-wire';
import { ReasonWhileDragging, WireInHand } from './wire-in-hand';

// At module level: a new object on every render would redraw every node.
const nodeTypes: NodeTypes = { layer: LayerNode };
const edgeTypes: EdgeTypes = { value: ValueWire };
const FIT = { padding: 0.12, maxZoom: 1 };

/** The drawing board. Takes part in no layout decision: positions come from the document and go back as commands. */
export function Canvas() {
  const store = useEditorStore();
  const nodes = useFlowNodes();
  const edges = useFlowEdges();
  const readOnly = useEditor((state) => state.readOnly);
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  const handlers = useMemo(() => flowHandlers(store), [store]);
  const flow = useRef<ReactFlowInstance | null>(null);
  return (
    <ReactFlow
      className="canvas"
      colorMode={theme}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onInit={(instance) => {
        flow.current = instance;
      }}
      onNodesChange={handlers.nodesChange}
      onEdgesChange={handlers.edgesChange}
      onNodeDragStart={handlers.dragStart}
      onNodeDragStop={handlers.dragStop}
      onConnectStart={handlers.connectStart}
      onConnectEnd={(event, state) => handlers.connectEnd(event, state, flow.current)}
      onPaneClick={handlers.paneClick}
      isValidConnection={anything}
      connectionMode={ConnectionMode.Loose}
      connectionLineComponent={WireInHand}
      connectionRadius={24}
      connectOnClick={false}
      deleteKeyCode={null}
      multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
      selectionKeyCode="Shift"
      nodesDraggable={!readOnly}
      nodesConnectable={!readOnly}
      elementsSelectable
      minZoom={0.1}
      maxZoom={2}
      fitView
      fitViewOptions={FIT}
      onlyRenderVisibleElements={nodes.length > 300}
      aria-label="Model canvas"
    >
      <Lanes />
      <ReasonWhileDragging />
      <RefusalBubble />
      <DropMenu />
      <MiniMap
        className="desk-only"
        position="bottom-left"
        pannable
        zoomable
        nodeBorderRadius={8}
        ariaLabel="Overview of the model"
      />
      <CanvasControls fit={FIT} />
      {nodes.length === 0 && <EmptyCanvas />}
    </ReactFlow>
  );
}

function EmptyCanvas() {
  return (
    <div className="canvas-empty">
      <b>An empty model</b>
      <p>
        Press <kbd>/</kbd> and type a name to add a layer, or drag one from the left. A model begins with
        Input and ends with Output.
      </p>
    </div>
  );
}

/** React Flow asks "may these be joined?"; the answer with its reason is ours, so it is always yes here. */
function anything(): boolean {
  return true;
}

function useFlowNodes(): Node[] {
  const nodes = useEditor((state) => state.history.doc.nodes);
  const wires = useEditor((state) => state.history.doc.wires);
  const layout = useEditor((state) => state.history.doc.layout);
  const catalog = useEditor((state) => state.catalog);
  const selected = useEditor((state) => state.selectedNodes);
  const cache = useRef(new Map<string, Node>());
  const sizes = useMemo(() => {
    const doc: ModelDoc = { ...EMPTY_DOC, nodes, wires };
    return nodes.map((node) => nodeSize(catalog, doc, node));
  }, [nodes, wires, catalog]);
  return useMemo(() => {
    const next = new Map<string, Node>();
    nodes.forEach((node, i) => {
      const position = layout[node.id] ?? { x: 0, y: 96 * i };
      const size = sizes[i] ?? { width: 0, height: 0 };
      next.set(node.id, reuse(cache.current.get(node.id), node.id, position, size, selected.has(node.id)));
    });
    cache.current = next;
    return [...next.values()];
  }, [nodes, layout, sizes, selected]);
}

/** The same object where nothing changed, so React Flow redraws only what moved. */
function reuse(
  old: Node | undefined,
  id: string,
  position: Position,
  size: { width: number; height: number },
  selected: boolean,
): Node {
  const same =
    old &&
    old.position.x === position.x &&
    old.position.y === position.y &&
    old.selected === selected &&
    old.measured?.height === size.height;
  return same ? old : { id, type: 'layer', position, selected, measured: size, ...size, data: {} };
}

function useFlowEdges(): Edge[] {
  const wires = useEditor((state) => state.history.doc.wires);
  const nodes = useEditor((state) => state.history.doc.nodes);
  const selected = useEditor((state) => state.selectedWires);
  return useMemo(() => {
    const ids = new Set(nodes.map((node) => node.id));
    return wires
      .filter((wire) => ids.has(wire.source.node) && ids.has(wire.target.node))
      .map((wire) => {
        const id = wireId(wire);
        return {
          id,
          type: 'value',
          source: wire.source.node,
          sourceHandle: handleId('output', wire.source.port),
          target: wire.target.node,
          targetHandle: handleId('input', wire.target.port),
          selected: selected.has(id),
          ariaLabel: `Wire from ${wire.source.node}.${wire.source.port} to ${wire.target.node}.${wire.target.port}`,
        };
      });
  }, [wires, nodes, selected]);
}

function flowHandlers(store: EditorStore) {
  let dragging = false;
  return {
    nodesChange(changes: NodeChange[]) {
      const state = store.getState();
      const moved = new Map<string, Position>();
      const selected = new Set(state.selectedNodes);
      for (const change of changes) {
        if (change.type === 'position' && change.position) moved.set(change.id, rounded(change.position));
        if (change.type === 'select') toggle(selected, change.id, change.selected);
      }
      if (moved.size > 0) {
        const key = `${dragging ? 'drag' : 'arrows'} ${[...moved.keys()].join(' ')}`;
        state.dispatch(moveNodes(moved), dragging ? { key } : { key, at: Date.now() });
      }
      state.select(selected, state.selectedWires);
    },
    edgesChange(changes: EdgeChange[]) {
      const state = store.getState();
      const selected = new Set(state.selectedWires);
      for (const change of changes) {
        if (change.type === 'select') toggle(selected, change.id, change.selected);
      }
      state.select(state.selectedNodes, selected);
    },
    dragStart() {
      dragging = true;
    },
    dragStop() {
      dragging = false;
      store.getState().closeGesture();
    },
    connectStart(_: unknown, params: { nodeId: string | null; handleId: string | null }) {
      const held = heldOf(params.nodeId, params.handleId);
      if (held) store.getState().pickUp(held);
    },
    connectEnd(
      event: MouseEvent | TouchEvent,
      connection: FinalConnectionState,
      flow: ReactFlowInstance | null,
    ) {
      const from = heldOf(connection.fromHandle?.nodeId, connection.fromHandle?.id);
      const to = heldOf(connection.toHandle?.nodeId, connection.toHandle?.id);
      store.getState().letGo();
      const at = pointOf(event);
      const box = document.querySelector('.canvas')?.getBoundingClientRect();
      if (!from || !at || !box) return;
      const inside = { x: at.x - box.left, y: at.y - box.top };
      if (to) joinPorts(store, from, to, inside);
      else if (!connection.toNode && flow && within(at, box)) {
        store.getState().drop({ from, at: inside, place: rounded(flow.screenToFlowPosition(at)) });
      }
    },
    paneClick() {
      const { letGo, refuse, drop } = store.getState();
      letGo();
      refuse(null);
      drop(null);
    },
  };
}

function toggle(set: Set<string>, id: string, on: boolean): void {
  if (on) set.add(id);
  else set.delete(id);
}

function rounded(at: Position): Position {
  return { x: Math.round(at.x), y: Math.round(at.y) };
}

function pointOf(event: MouseEvent | TouchEvent): Position | null {
  const point = 'changedTouches' in event ? event.changedTouches[0] : event;
  return point ? { x: point.clientX, y: point.clientY } : null;
}

function within(at: Position, box: DOMRect): boolean {
  return at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
}

/** Is this node there and on which place? Used by whatever brings a node into view. */
export function placeOf(doc: ModelDoc, id: string): Position | null {
  return findNode(doc, id) ? (doc.layout[id] ?? null) : null;
}
