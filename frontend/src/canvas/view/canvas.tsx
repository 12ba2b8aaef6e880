import '@xyflow/react/dist/base.css';
import './canvas.css';
import {
  ConnectionMode,
  type EdgeTypes,
  type FitViewOptions,
  type Node,
  type NodeTypes,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useMemo, useRef, useState } from 'react';
import { findNode, type ModelDoc, type Position } from '../model/document';
import { Arranging } from './arranging';
import { CanvasControls } from './canvas-controls';
import { useDrawnItems } from './drawn-items';
import { FarWiresLayer } from './far-wires-layer';
import { useFlowEdges, useFlowNodes } from './flow-elements';
import { flowHandlers } from './flow-handlers';
import { DropMenu, GroupNode, Lanes, NoteNode, Overview, RefusalBubble } from './late';
import { LayerNode } from './layer-node';
import { useEditor, useEditorStore } from './store';
import { ValueWire } from './value-wire';
import { ReasonWhileDragging, WireInHand } from './wire-in-hand';

// At module level: a new object on every render would redraw every node.
const nodeTypes: NodeTypes = { layer: LayerNode, group: GroupNode, note: NoteNode };
const edgeTypes: EdgeTypes = { value: ValueWire };
export const FIT: FitViewOptions = { padding: { x: '28px', y: '44px' }, maxZoom: 1 };
/** Where the board is narrower than this, what opens is as many columns of layers as can be read there. */
const NARROW = 640;
const READ_ACROSS = 440;
const READ_FROM_ZOOM = 0.6;

/** The drawing board. Takes part in no layout decision: positions come from the document and go back as commands. */
export function Canvas() {
  const store = useEditorStore();
  const layers = useFlowNodes();
  const drawn = useDrawnItems();
  const nodes = useMemo(() => (drawn.length > 0 ? [...drawn, ...layers] : layers), [drawn, layers]);
  const edges = useFlowEdges();
  const readOnly = useEditor((state) => state.readOnly);
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  const handlers = useMemo(() => flowHandlers(store), [store]);
  const flow = useRef<ReactFlowInstance | null>(null);
  const [opening] = useState(() => openingView(nodes, window.innerWidth));
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
        // What lies outside at first is not drawn, so React Flow alone might wait for ever for its size.
        void instance.fitView(opening);
      }}
      onNodesChange={handlers.nodesChange}
      onEdgesChange={handlers.edgesChange}
      onNodeDragStart={handlers.dragStart}
      onNodeDrag={handlers.drag}
      onNodeDragStop={handlers.dragStop}
      onConnectStart={handlers.connectStart}
      onConnectEnd={(event, state) => handlers.connectEnd(event, state, flow.current)}
      onPaneClick={handlers.paneClick}
      onMoveStart={markMoving}
      onMoveEnd={markStill}
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
      fitViewOptions={opening}
      onlyRenderVisibleElements={nodes.length > 300}
      aria-label="Model canvas"
    >
      <Lanes />
      <FarWiresLayer />
      <ReasonWhileDragging />
      <RefusalBubble />
      <DropMenu />
      <Arranging />
      <Overview label="Overview of the model" />
      <CanvasControls fit={FIT} />
      {nodes.length === 0 && <EmptyCanvas />}
    </ReactFlow>
  );
}

/** What a model opens at: all of it, on a phone its first layers; the rest is a swipe or the fit button away. */
function openingView(nodes: readonly Node[], width: number): FitViewOptions {
  if (width > NARROW || nodes.length === 0) return FIT;
  const left = Math.min(...nodes.map((node) => node.position.x));
  const right = (node: Node) => node.position.x + (node.measured?.width ?? 0);
  const first = nodes.filter((node) => right(node) - left <= READ_ACROSS);
  return { ...FIT, nodes: first, minZoom: READ_FROM_ZOOM };
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

// Written past React: a picture of the whole canvas must not follow from it.
function markMoving(): void {
  document.querySelector('.canvas')?.setAttribute('data-moving', '');
}

function markStill(): void {
  document.querySelector('.canvas')?.removeAttribute('data-moving');
}

/** Is this node there and on which place? Used by whatever brings a node into view. */
export function placeOf(doc: ModelDoc, id: string): Position | null {
  return findNode(doc, id) ? (doc.layout[id] ?? null) : null;
}
