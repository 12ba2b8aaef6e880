/** One-click remedies for what the server found: a width that does not fit is changed by a layer put on the wire. */
import { type Catalog, findPort } from './catalog';
import type { Problem } from './checks';
import type { ModelDoc, Wire } from './document';
import { type Fix, widthFix } from './fixes';

const WIRE = /^\/wires\/(\d+)$/;
const WIDTHS = /(\d+|[A-Z]) to (\d+)/;

/** The server's hint names both widths ("Linear 32 to 64"); the layer itself is found in the catalog. */
export function widthFixOf(
  catalog: Catalog,
  doc: ModelDoc,
  problem: Problem,
): { wire: Wire; fix: Fix } | null {
  const wire = doc.wires[Number(WIRE.exec(problem.pointer)?.[1] ?? -1)];
  const [, from, to] = WIDTHS.exec(problem.hint) ?? [];
  const kind = wire && findPort(catalog, doc, wire.target, 'input')?.kind;
  if (problem.code !== 'shape.width' || !wire || !kind || from === undefined || to === undefined) return null;
  const fix = widthFix(catalog, kind, from, Number(to));
  return fix ? { wire, fix } : null;
}
