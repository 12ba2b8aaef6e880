/** Groups and notes as React Flow draws them, beside the layers. */
import type { Node } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { type Box, drawnBoxes } from '../model/boxes';
import type { Side } from '../model/catalog';
import type { Endpoint, ModelDoc, Wire } from '../model/document';
import { ancestors, groupTree } from '../model/groups';
import { groupHandleId, handleId } from './handles';
import { useEditor } from './store';

/** React Flow lifts what is selected by this much; a frame stays over the wires and under the layers. */
const LIFT = 1000;

export function useDrawnItems(): Node[] {
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const selected = useEditor((state) => state.selectedNodes);
  const cache = useRef(new Map<string, Node>());
  return useMemo(() => {
    const next = new Map<string, Node>();
    for (const [id, box] of outerFirst(doc, drawnBoxes(catalog, doc))) {
      const made = drawnItem(doc, id, box, selected.has(id));
      const old = cache.current.get(id);
      next.set(id, old && same(old, made) ? old : made);
    }
    cache.current = next;
    return [...next.values()];
  }, [doc, catalog, selected]);
}

/** Later ones are drawn over earlier ones, so the outer frames come first. */
function outerFirst(doc: ModelDoc, boxes: ReadonlyMap<string, Box>): [string, Box][] {
  const { parent } = groupTree(doc);
  const depth = (id: string) => ancestors(parent, id).length;
  return [...boxes].sort(([a], [b]) => depth(a) - depth(b));
}

function drawnItem(doc: ModelDoc, id: string, box: Box, selected: boolean): Node {
  const group = groupTree(doc).byId.get(id);
  const size = { width: box.width, height: box.height };
  const node = { id, position: { x: box.x, y: box.y }, selected, measured: size, ...size, data: {} };
  if (!group) return { ...node, type: 'note', ariaLabel: 'Note' };
  const label = `Group ${group.title || id}`;
  if (group.collapsed) return { ...node, type: 'group', ariaLabel: label };
  const zIndex = selected ? -LIFT : 0;
  return { ...node, type: 'group', ariaLabel: label, zIndex, style: { pointerEvents: 'none' } };
}

function same(a: Node, b: Node): boolean {
  return (
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.width === b.width &&
    a.height === b.height &&
    a.selected === b.selected &&
    a.zIndex === b.zIndex &&
    a.ariaLabel === b.ariaLabel
  );
}

export interface DrawnEnds {
  readonly source: string;
  readonly sourceHandle: string;
  readonly target: string;
  readonly targetHandle: string;
}

/** Where a wire begins and ends on the canvas: at its nodes, or at the folded groups they are in; null inside one. */
export function drawnEnds(doc: ModelDoc, wire: Wire): DrawnEnds | null {
  const { hiddenBy } = groupTree(doc);
  const [from, to] = [hiddenBy.get(wire.source.node), hiddenBy.get(wire.target.node)];
  if (from !== undefined && from === to) return null;
  return {
    source: from ?? wire.source.node,
    sourceHandle: handleAt(from, 'output', wire.source),
    target: to ?? wire.target.node,
    targetHandle: handleAt(to, 'input', wire.target),
  };
}

function handleAt(group: string | undefined, side: Side, end: Endpoint): string {
  return group === undefined ? handleId(side, end.port) : groupHandleId(side, end);
}
