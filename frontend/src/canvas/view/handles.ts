/**
 * Ids of React Flow handles. An input and an output may share a name, so the side is part of the id; a folded group has
 * ports of the nodes in it, so there the node is part of it too.
 */
import type { Side } from '../model/catalog';
import type { Held } from '../model/connect';
import { type Endpoint, portKey } from '../model/document';

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
