/** What React Flow is given: a node for each layer, an edge for each wire, the same objects where nothing changed. */
import type { Edge, Node, NodeHandle } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { Catalog } from '../model/catalog';
import { EMPTY_DOC, type ModelDoc, type Position, portKey, type Wire, wireId } from '../model/document';
import { nodeSize, type Size } from '../model/geometry';
import { groupTree } from '../model/groups';
import { type NodeLook, nodeLooks } from '../model/looks';
import { drawnEnds } from './drawn-items';
import { useFarWires } from './far-wires-layer';
import { handlesOf } from './handles';
import { useEditor } from './store';

const NO_EDGES: Edge[] = [];

interface Box {
  readonly size: Size;
  readonly handles: NodeHandle[];
}

const NO_BOX: Box = { size: { width: 0, height: 0 }, handles: [] };

export function useFlowNodes(): Node[] {
  const all = useEditor((state) => state.history.doc.nodes);
  const groups = useEditor((state) => state.history.doc.groups);
  const wires = useEditor((state) => state.history.doc.wires);
  const layout = useEditor((state) => state.history.doc.layout);
  const catalog = useEditor((state) => state.catalog);
  const checks = useEditor((state) => state.checks);
  const { problems, types } = checks;
  const selected = useEditor((state) => state.selectedNodes);
  const nodes = useMemo(() => {
    const { hiddenBy } = groupTree({ ...EMPTY_DOC, groups });
    return hiddenBy.size > 0 ? all.filter((node) => !hiddenBy.has(node.id)) : all;
  }, [all, groups]);
  const cache = useRef(new Map<string, Node>());
  const boxes = useMemo(() => {
    const doc: ModelDoc = { ...EMPTY_DOC, nodes: all, wires };
    const looks = nodeLooks({ doc, catalog, checks });
    return nodes.map((node) => boxOf(catalog, doc, looks.get(node.id)));
  }, [all, nodes, wires, catalog, problems, types]);
  const list = useRef<Node[]>([]);
  return useMemo(() => {
    const next = new Map<string, Node>();
    nodes.forEach((node, i) => {
      const position = layout[node.id] ?? { x: 0, y: 96 * i };
      const box = boxes[i] ?? NO_BOX;
      next.set(node.id, reuse(cache.current.get(node.id), node.id, position, box, selected.has(node.id)));
    });
    cache.current = next;
    list.current = sameList(list.current, [...next.values()]);
    return list.current;
  }, [nodes, layout, boxes, selected]);
}

/** The list there was where it holds the same objects: React Flow goes through all of another one. */
function sameList<T>(before: T[], next: T[]): T[] {
  return before.length === next.length && next.every((item, i) => item === before[i]) ? before : next;
}

// A look says all that its box follows from, and stays the same object while it says the same.
const boxesOfLooks = new WeakMap<NodeLook, Box>();

function boxOf(catalog: Catalog, doc: ModelDoc, look: NodeLook | undefined): Box {
  if (!look) return NO_BOX;
  const known = boxesOfLooks.get(look);
  if (known) return known;
  const box = { size: nodeSize(catalog, doc, look.node), handles: handlesOf(look) };
  boxesOfLooks.set(look, box);
  return box;
}

/** React Flow redraws only what is another object. */
function reuse(old: Node | undefined, id: string, position: Position, box: Box, selected: boolean): Node {
  const same =
    old &&
    old.position.x === position.x &&
    old.position.y === position.y &&
    old.selected === selected &&
    sameBox(old, box);
  if (same) return old;
  return {
    id,
    type: 'layer',
    position,
    selected,
    measured: box.size,
    ...box.size,
    handles: box.handles,
    data: {},
  };
}

function sameBox(old: Node, { size, handles }: Box): boolean {
  if (old.handles === handles) return true;
  return (
    old.measured?.height === size.height &&
    old.handles?.length === handles.length &&
    old.handles.every((handle, i) => handle.id === handles[i]?.id)
  );
}

/** None while the wires of a large model are drawn as a few paths. */
export function useFlowEdges(): Edge[] {
  const wires = useEditor((state) => state.history.doc.wires);
  const nodes = useEditor((state) => state.history.doc.nodes);
  const groups = useEditor((state) => state.history.doc.groups);
  const selected = useEditor((state) => state.selectedWires);
  const far = useFarWires();
  const cache = useRef(new Map<string, Edge>());
  const list = useRef<Edge[]>([]);
  return useMemo(() => {
    if (far) return NO_EDGES;
    const ids = new Set(nodes.map((node) => node.id));
    const doc: ModelDoc = { ...EMPTY_DOC, groups };
    const next = new Map<string, Edge>();
    for (const wire of wires) {
      const ends = ids.has(wire.source.node) && ids.has(wire.target.node) ? drawnEnds(doc, wire) : null;
      if (!ends) continue;
      const id = wireId(wire);
      const old = cache.current.get(id);
      next.set(
        id,
        old && sameEdge(old, ends, selected.has(id)) ? old : edgeOf(id, wire, ends, selected.has(id)),
      );
    }
    cache.current = next;
    list.current = sameList(list.current, [...next.values()]);
    return list.current;
  }, [wires, nodes, groups, selected, far]);
}

type Ends = NonNullable<ReturnType<typeof drawnEnds>>;

function sameEdge(old: Edge, ends: Ends, selected: boolean): boolean {
  return (
    old.selected === selected &&
    old.source === ends.source &&
    old.target === ends.target &&
    old.sourceHandle === ends.sourceHandle &&
    old.targetHandle === ends.targetHandle
  );
}

function edgeOf(id: string, wire: Wire, ends: Ends, selected: boolean): Edge {
  const ariaLabel = `Wire from ${portKey(wire.source)} to ${portKey(wire.target)}`;
  return { id, type: 'value', ...ends, selected, ariaLabel };
}
