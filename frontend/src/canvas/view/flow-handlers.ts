/** What React Flow tells, as commands. */
import type { EdgeChange, FinalConnectionState, Node, NodeChange, ReactFlowInstance } from '@xyflow/react';
import { drawnBoxes, shifted } from '../model/boxes';
import { type Position, wiresOf } from '../model/document';
import { moveNodes } from '../model/edits';
import { groupTree } from '../model/groups';
import { spliceNode } from '../model/splice';
import { joinPorts } from './connect-actions';
import { heldOf } from './handles';
import type { EditorState, EditorStore } from './store';
import { wireAt } from './wire-at';

export function flowHandlers(store: EditorStore) {
  let dragging = false;
  const gestureOf = (ids: Iterable<string>) => `${dragging ? 'drag' : 'arrows'} ${[...ids].join(' ')}`;
  return {
    nodesChange(changes: NodeChange[]) {
      const state = store.getState();
      const selected = new Set(state.selectedNodes);
      for (const change of changes) {
        if (change.type === 'select') toggle(selected, change.id, change.selected);
      }
      const moved = movesOf(store.getState(), changes);
      if (moved.size > 0) {
        const key = gestureOf(changes.flatMap((change) => (change.type === 'position' ? change.id : [])));
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
    drag(event: globalThis.MouseEvent | TouchEvent | { nativeEvent: Event }, _: Node, nodes: Node[]) {
      const { history, catalog, hover } = store.getState();
      const [node] = nodes;
      // Looking under the pointer is slow; only a layer without wires can be put on one.
      const loose = node && nodes.length === 1 && wiresOf(history.doc, node.id).length === 0;
      const wire = loose ? wireAt(pointOf(event)) : null;
      hover(wire !== null && node && spliceNode(catalog, history.doc, node.id, wire) ? wire : null);
    },
    dragStop(_: unknown, __: Node, nodes: Node[]) {
      const { overWire, hover, catalog, history, dispatch, closeGesture } = store.getState();
      const [node] = nodes;
      const splice = node && overWire !== null && spliceNode(catalog, history.doc, node.id, overWire);
      if (splice) dispatch(splice, { key: gestureOf([node.id]) });
      hover(null);
      dragging = false;
      closeGesture();
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

/** New places of what a person moved. A group is its members, so they move by as much as its frame did. */
function movesOf(
  { history: { doc }, catalog }: EditorState,
  changes: readonly NodeChange[],
): Map<string, Position> {
  const moved = new Map<string, Position>();
  const named = new Set(changes.flatMap((change) => (change.type === 'position' ? change.id : [])));
  const groups = groupTree(doc).byId;
  const boxes = [...named].some((id) => groups.has(id)) ? drawnBoxes(catalog, doc) : null;
  for (const change of changes) {
    if (change.type !== 'position' || !change.position) continue;
    const to = rounded(change.position);
    const box = groups.has(change.id) ? boxes?.get(change.id) : undefined;
    if (!box) moved.set(change.id, to);
    else
      for (const [id, place] of shifted(doc, change.id, { x: to.x - box.x, y: to.y - box.y }, named))
        moved.set(id, place);
  }
  return moved;
}

function toggle(set: Set<string>, id: string, on: boolean): void {
  if (on) set.add(id);
  else set.delete(id);
}

function rounded(at: Position): Position {
  return { x: Math.round(at.x), y: Math.round(at.y) };
}

function pointOf(event: MouseEvent | TouchEvent | object): Position | null {
  const native = 'nativeEvent' in event ? (event.nativeEvent as MouseEvent | TouchEvent) : event;
  const touches = 'changedTouches' in native ? (native.changedTouches as TouchList) : null;
  const point = touches ? touches[0] : 'clientX' in native ? (native as MouseEvent) : undefined;
  return point ? { x: point.clientX, y: point.clientY } : null;
}

function within(at: Position, box: DOMRect): boolean {
  return at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
}
