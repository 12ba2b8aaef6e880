/** Putting a layer on a wire: which layers fit there, and the commands for a new one and for one that is there already. */
import { type Catalog, findPort, type LayerInfo } from './catalog';
import {
  type DocNode,
  findNode,
  findWire,
  type ModelDoc,
  type Position,
  type Wire,
  wireId,
  wiresOf,
} from './document';
import { insertBetween } from './edits';
import { freePlace, nodeSize } from './geometry';
import { commonGroup, joinGroup } from './groups';
import type { Command } from './history';
import { type Inserted, newNode } from './insert';
import { kindsMeet } from './value-types';

const ORIGIN = { x: 0, y: 0 };

interface Through {
  readonly input: string;
  readonly output: string;
}

/** The ports by which a layer would take what the wire brings and give what its end wants; null where it cannot. */
export function waysThrough(catalog: Catalog, doc: ModelDoc, layer: LayerInfo, wire: Wire): Through | null {
  const from = findPort(catalog, doc, wire.source, 'output');
  const to = findPort(catalog, doc, wire.target, 'input');
  const input = layer.inputs.find((port) => from && kindsMeet(from.kind, port.kind));
  const output = layer.outputs.find((port) => to && kindsMeet(port.kind, to.kind));
  return input && output ? { input: input.name, output: output.name } : null;
}

/** Layers that can be put on a wire; those that need nothing else come first. */
export function layersOn(catalog: Catalog, doc: ModelDoc, wire: Wire): LayerInfo[] {
  const needs = (layer: LayerInfo) => layer.inputs.filter((port) => !port.optional).length;
  return catalog.layers
    .filter((layer) => waysThrough(catalog, doc, layer, wire))
    .sort((a, b) => needs(a) - needs(b));
}

/** A new layer on a wire, in the group both its ends are in. */
export function insertOnWire(
  catalog: Catalog,
  doc: ModelDoc,
  layer: LayerInfo,
  id: string,
  place?: Position,
): Inserted | null {
  const wire = findWire(doc, id);
  const ways = wire && waysThrough(catalog, doc, layer, wire);
  if (!wire || !ways) return null;
  const node = newNode(doc, layer);
  const position = place ?? halfway(catalog, doc, wire, node);
  const command = insertBetween(doc, wire.source, wire.target, {
    node,
    ...ways,
    position,
    name: layer.title,
    many: true,
  });
  const group = commonGroup(doc, [wire.source.node, wire.target.node]);
  return {
    command: { ...command, operations: [...command.operations, ...joinGroup(doc, group, [node.id])] },
    id: node.id,
  };
}

/** A layer that has no wires yet, let go on one; null where it does not fit. */
export function spliceNode(catalog: Catalog, doc: ModelDoc, nodeId: string, id: string): Command | null {
  const [node, wire] = [findNode(doc, nodeId), findWire(doc, id)];
  const layer = node && catalog.byType.get(node.type);
  const ways = layer && wire && waysThrough(catalog, doc, layer, wire);
  if (!node || !wire || !ways || wiresOf(doc, nodeId).length > 0) return null;
  const index = doc.wires.length - 1;
  return {
    name: `Insert ${layer.title}`,
    operations: [
      { op: 'remove_wire', id: wireId(wire) },
      { op: 'insert_wire', wire: { source: wire.source, target: { node: nodeId, port: ways.input } }, index },
      {
        op: 'insert_wire',
        wire: { source: { node: nodeId, port: ways.output }, target: wire.target },
        index: index + 1,
      },
    ],
  };
}

/** Between the two where there is room, else on free ground under them. */
function halfway(catalog: Catalog, doc: ModelDoc, wire: Wire, node: DocNode): Position {
  const [a, b] = [doc.layout[wire.source.node] ?? ORIGIN, doc.layout[wire.target.node] ?? ORIGIN];
  const middle = { x: Math.round((a.x + b.x) / 2), y: Math.round((a.y + b.y) / 2) };
  return freePlace(catalog, doc, middle, nodeSize(catalog, { ...doc, nodes: [...doc.nodes, node] }, node));
}
