/** Ids of React Flow handles. An input and an output may share a name, so the side is part of the id. */

import type { Side } from '../model/catalog';
import type { Held } from '../model/connect';

export function handleId(side: Side, port: string): string {
  return `${side === 'input' ? 'in' : 'out'}:${port}`;
}

export function heldOf(node: string | null | undefined, handle: string | null | undefined): Held | null {
  if (!node || !handle) return null;
  const cut = handle.indexOf(':');
  const side: Side = handle.slice(0, cut) === 'in' ? 'input' : 'output';
  return { end: { node, port: handle.slice(cut + 1) }, side };
}
