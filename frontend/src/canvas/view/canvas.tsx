import '@xyflow/react/dist/base.css';
import './canvas.css';
import {
  ConnectionMode,
  type Edge,
  type EdgeTypes,
  MiniMap,
  type Node,
  type NodeTypes,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { EMPTY_DOC, findNode, type ModelDoc, type Position, wireId } from '../model/document';
import { nodeSize } from '../model/geometry';
import { groupTree } from '../model/groups';
import { Arranging } from './arranging';
import { CanvasControls } from './canvas-controls';
import { drawnEnds, useDrawnItems } from './drawn-items';
import { DropMenu } from './drop-menu';
import { flowHandlers } from './flow-handlers';
import { GroupNode } from './group-node';
import { Lanes } from './lanes';
import { LayerNode } from './layer-node';
import { NoteNode } from './note-node';
import { RefusalBubble } from './refusal-bubble';
import { useEditor, useEditorStore } from './store';
import { ValueWire } from './value-wire';
import { ReasonWhileDragging, WireInHand } from './wire-in-hand';

// At module level: a new object on every render would redraw every node.
const nodeTypes: NodeTypes = { layer: LayerNode, group: GroupNode, note: NoteNode };
const edgeTypes: EdgeTypes = { value: ValueWire };
const FIT = { padding: 0.12, maxZoom: 1 };

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
      onNodeDrag={handlers.drag}
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
      <Arranging />
      <MiniMap
        className="desk-only"
        position="bottom-left"
        pannable
        zoomable
        nodeBorderRadius={8}
        nodeClassName={minimapClass}
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

function minimapClass(node: Node): string {
  return `minimap-${node.type}`;
}

function useFlowNodes(): Node[] {
  const all = useEditor((state) => state.history.doc.nodes);
  const groups = useEditor((state) => state.history.doc.groups);
  const wires = useEditor((state) => state.history.doc.wires);
  const layout = useEditor((state) => state.history.doc.layout);
  const catalog = useEditor((state) => state.catalog);
  const selected = useEditor((state) => state.selectedNodes);
  const nodes = useMemo(() => {
    const { hiddenBy } = groupTree({ ...EMPTY_DOC, groups });
    return hiddenBy.size > 0 ? all.filter((node) => !hiddenBy.has(node.id)) : all;
  }, [all, groups]);
  const cache = useRef(new Map<string, Node>());
  const sizes = useMemo(() => {
    const doc: ModelDoc = { ...EMPTY_DOC, nodes: all, wires };
    return nodes.map((node) => nodeSize(catalog, doc, node));
  }, [all, nodes, wires, catalog]);
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
  const groups = useEditor((state) => state.history.doc.groups);
  const selected = useEditor((state) => state.selectedWires);
  return useMemo(() => {
    const ids = new Set(nodes.map((node) => node.id));
    const doc: ModelDoc = { ...EMPTY_DOC, groups };
    return wires
      .filter((wire) => ids.has(wire.source.node) && ids.has(wire.target.node))
      .flatMap((wire) => {
        const id = wireId(wire);
        const ends = drawnEnds(doc, wire);
        if (!ends) return [];
        return {
          id,
          type: 'value',
          ...ends,
          selected: selected.has(id),
          ariaLabel: `Wire from ${wire.source.node}.${wire.source.port} to ${wire.target.node}.${wire.target.port}`,
        };
      });
  }, [wires, nodes, groups, selected]);
}

/** Is this node there and on which place? Used by whatever brings a node into view. */
export function placeOf(doc: ModelDoc, id: string): Position | null {
  return findNode(doc, id) ? (doc.layout[id] ?? null) : null;
}
