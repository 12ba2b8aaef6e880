/** Commands that bring a new layer: where it lands, what it is wired to, under which id. */
import { type Catalog, defaultParams, findPort, type LayerInfo, portsOf } from './catalog';
import type { Held } from './connect';
import {
  type DocNode,
  type Endpoint,
  findNode,
  type ModelDoc,
  type Position,
  type Wire,
  wiresInto,
} from './document';
import { addNode, connect, insertBetween } from './edits';
import type { Fix } from './fixes';
import { COLUMN_GAP, freePlace, isUnary, NODE_WIDTH, nodeSize, STACK_GAP } from './geometry';
import type { Command } from './history';
import { freshId, idsOf } from './ids';
import { kindsMeet } from './value-types';

export interface Inserted {
  readonly command: Command;
  readonly id: string;
}

export function newNode(doc: ModelDoc, layer: LayerInfo, params: DocNode['params'] = {}): DocNode {
  const id = freshId(layer.type, new Set(idsOf(doc)));
  return { id, type: layer.type, params: { ...defaultParams(layer), ...params }, title: '' };
}

/** Adds a layer at a place, or beside `beside`, wired to it where a port fits: one step. */
export function insertLayer(
  catalog: Catalog,
  doc: ModelDoc,
  layer: LayerInfo,
  where: { place?: Position; beside?: string | null; from?: Held; fallback: Position },
): Inserted {
  const node = newNode(doc, layer);
  const wire = where.from
    ? wireFrom(catalog, doc, layer, node, where.from)
    : wireBeside(catalog, doc, layer, node, where.beside);
  const beside = where.beside ? findNode(doc, where.beside) : undefined;
  const size = nodeSize(catalog, { ...doc, nodes: [...doc.nodes, node] }, node);
  const wanted = where.place ?? (beside ? placeBeside(catalog, doc, beside, layer) : where.fallback);
  const place = where.place ?? freePlace(catalog, doc, wanted, size);
  const added = addNode(doc, node, place, layer.title);
  if (!wire) return { command: added, id: node.id };
  return {
    command: { ...added, operations: [...added.operations, ...connect(doc, wire).operations] },
    id: node.id,
  };
}

/** The remedy of a refused wire as one command. */
export function applyFix(
  catalog: Catalog,
  doc: ModelDoc,
  source: Endpoint,
  target: Endpoint,
  fix: Fix,
): Command {
  if (fix.kind === 'replace') return connect(doc, { source, target }, fix.wire);
  if (fix.kind === 'rewire') {
    const [old = null] = wiresInto(doc, target);
    return connect(doc, { source: fix.source, target }, old);
  }
  const node = newNode(doc, fix.layer, fix.params);
  const [a, b] = [doc.layout[source.node], doc.layout[target.node]];
  const middle = a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : { x: 0, y: 0 };
  const size = nodeSize(catalog, { ...doc, nodes: [...doc.nodes, node] }, node);
  const position = freePlace(catalog, doc, middle, size);
  return insertBetween(doc, source, target, {
    node,
    input: fix.input,
    output: fix.output,
    position,
    name: fix.layer.title,
    many: findPort(catalog, doc, target, 'input')?.many ?? false,
  });
}

function wireFrom(catalog: Catalog, doc: ModelDoc, layer: LayerInfo, node: DocNode, from: Held): Wire | null {
  const origin = findNode(doc, from.end.node);
  if (!origin) return null;
  const ports = portsOf(catalog, doc, origin);
  const held = (from.side === 'output' ? ports.outputs : ports.inputs).find(
    (port) => port.name === from.end.port,
  );
  const fitting = (from.side === 'output' ? layer.inputs : layer.outputs).find(
    (port) => held && kindsMeet(port.kind, held.kind),
  );
  if (!fitting) return null;
  const end = { node: node.id, port: fitting.name };
  return from.side === 'output' ? { source: from.end, target: end } : { source: end, target: from.end };
}

function wireBeside(
  catalog: Catalog,
  doc: ModelDoc,
  layer: LayerInfo,
  node: DocNode,
  beside?: string | null,
): Wire | null {
  const origin = beside ? findNode(doc, beside) : undefined;
  if (!origin) return null;
  for (const output of portsOf(catalog, doc, origin).outputs) {
    const input = layer.inputs.find((port) => kindsMeet(output.kind, port.kind));
    if (input)
      return { source: { node: origin.id, port: output.name }, target: { node: node.id, port: input.name } };
  }
  return null;
}

function placeBeside(catalog: Catalog, doc: ModelDoc, node: DocNode, layer: LayerInfo): Position {
  const at = doc.layout[node.id] ?? { x: 0, y: 0 };
  if (isUnary(layer)) return { x: at.x, y: at.y + nodeSize(catalog, doc, node).height + STACK_GAP };
  return { x: at.x + NODE_WIDTH + COLUMN_GAP, y: at.y };
}

/** Inputs of other nodes, each with the port's owner, for "Connect to…" without dragging. */
export function openEnds(catalog: Catalog, doc: ModelDoc, from: string): { end: Endpoint; taken: boolean }[] {
  return doc.nodes
    .filter((node) => node.id !== from)
    .flatMap((node) => portsOf(catalog, doc, node).inputs.map((port) => ({ node, port })))
    .map(({ node, port }) => {
      const end = { node: node.id, port: port.name };
      return { end, taken: !port.many && wiresInto(doc, end).length > 0 };
    });
}
