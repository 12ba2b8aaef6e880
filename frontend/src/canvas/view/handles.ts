/**
 * Ids of React Flow handles. An input and an output may share a name, so the side is part of the id; a folded group has
 * ports of the nodes in it, so there the node is part of it too.
 */
import { type NodeHandle, Position } from '@xyflow/react';
import type { Side } from '../model/catalog';
import type { Held } from '../model/connect';
import { type Endpoint, portKey } from '../model/document';
import { NODE_WIDTH, portTop } from '../model/geometry';
import type { NodeLook } from '../model/looks';

/** A port is this large, its middle on the edge of a node whose border is this wide. */
const PORT = 20;
const BORDER = 1;

export function handleId(side: Side, port: string): string {
  return `${side === 'input' ? 'in' : 'out'}:${port}`;
}

export function groupHandleId(side: Side, end: Endpoint): string {
  return `${side === 'input' ? 'in' : 'out'}@${portKey(end)}`;
}

export function heldOf(node: string | null | undefined, handle: string | null | undefined): Held | null {
  const [, way, sign, name] = /^(in|out)([:@])(.*)$/s.exec(handle ?? '') ?? [];
  if (!node || name === undefined) return null;
  const side: Side = way === 'in' ? 'input' : 'output';
  if (sign === ':') return { end: { node, port: name }, side };
  const dot = name.indexOf('.'); // ids of nodes have no dots, names of ports may
  return { end: { node: name.slice(0, dot), port: name.slice(dot + 1) }, side };
}

/** Where the handles of a layer are, told beforehand: else React Flow draws every layer once to measure them. */
export function handlesOf({ inputs, outputs, unary }: NodeLook): NodeHandle[] {
  const place = (i: number) => ({
    y: BORDER + portTop(unary ? null : i) - PORT / 2,
    width: PORT,
    height: PORT,
  });
  return [
    ...inputs.map((port, i) => ({
      id: handleId('input', port.name),
      type: 'target' as const,
      position: Position.Left,
      x: BORDER - PORT / 2,
      ...place(i),
    })),
    ...outputs.map((port, i) => ({
      id: handleId('output', port.name),
      type: 'source' as const,
      position: Position.Right,
      x: NODE_WIDTH - BORDER - PORT / 2,
      ...place(i),
    })),
  ];
}
