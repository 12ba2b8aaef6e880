/** A layer of the palette becomes a layer with a program of the model's own: the same text, settings and wires. */
import type { Schemas } from '@/api/types';
import type { LayerInfo } from '../model/catalog';
import { findNode, type ModelDoc, type Scalar, type Wire, wireId, wiresOf } from '../model/document';
import type { Command } from '../model/history';
import { freshId } from '../model/ids';
import type { Operation } from '../model/operations';

type Declaration = Schemas['ProgramDeclaration'];

/** What the layer compiled to, and what the graph is given before it runs. */
export interface Origin {
  readonly source: string;
  readonly bindings: Readonly<Record<string, Scalar>>;
  readonly declares: Declaration;
  readonly needs: { readonly self_loops: boolean };
}

/** The layer of type `program` reads these; the names are the server's. */
const EDGE_FEATURE = 'w';
const GIVEN = new Set(['h', 'norm']);

/** Features under other names than the ones such a layer gives, with the names they must take. */
export function renamesFor(declares: Declaration): { node: string; name: string }[] {
  const vertex = Object.keys(declares.features).filter((name) => !GIVEN.has(name));
  const edge = Object.keys(declares.edge_features).filter((name) => name !== EDGE_FEATURE);
  return [
    ...vertex.slice(0, 1).map((name) => ({ node: `v.${name}`, name: 'h' })),
    ...edge.slice(0, 1).map((name) => ({ node: `e.${name}`, name: EDGE_FEATURE })),
  ];
}

/** Sizes that a feature declares alone follow from its port and are no settings. */
function fixedSizes(declares: Declaration): Set<string> {
  const shapes = [...Object.values(declares.features), ...Object.values(declares.edge_features)];
  return new Set(shapes.filter((shape) => /^[A-Za-z_]\w*$/.test(shape)));
}

export function ownProgram(
  doc: ModelDoc,
  id: string,
  layer: LayerInfo,
  origin: Origin,
): { command: Command; program: string } {
  const node = findNode(doc, id);
  const { declares, bindings } = origin;
  const program = freshId(`my_${declares.name}`, new Set(doc.programs.map((one) => one.name)));
  const fixed = fixedSizes(declares);
  const settings = [...declares.sizes.filter((name) => !fixed.has(name)), ...Object.keys(declares.constants)];
  const params = Object.fromEntries(
    settings.flatMap((name) => (bindings[name] === undefined ? [] : [[name, bindings[name]]])),
  );
  const title = node?.title || `My ${layer.title}`;
  const own = { program, ...(origin.needs.self_loops ? { self_loops: true } : {}), ...params };
  const operations: Operation[] = [
    { op: 'insert_program', program: { name: program, source: origin.source }, index: doc.programs.length },
    ...(node ? [{ op: 'set_node' as const, node: { ...node, type: 'program', title, params: own } }] : []),
    ...rewired(doc, id, layer),
  ];
  return { command: { name: `Make ${layer.title} mine`, operations }, program };
}

/** The first vertex input is x, the first edge input e; the result is y. */
function rewired(doc: ModelDoc, id: string, layer: LayerInfo): Operation[] {
  const ports = new Map<string, string>();
  for (const [kinds, port] of [
    [['vertex', 'any', 'graph'], 'x'],
    [['edge'], 'e'],
  ] as const) {
    const first = layer.inputs.find((one) => (kinds as readonly string[]).includes(one.kind));
    if (first) ports.set(first.name, port);
  }
  const output = layer.outputs[0]?.name ?? 'y';
  return wiresOf(doc, id).flatMap((wire) => {
    const next: Wire = {
      source: wire.source.node === id && wire.source.port === output ? { node: id, port: 'y' } : wire.source,
      target:
        wire.target.node === id
          ? { node: id, port: ports.get(wire.target.port) ?? wire.target.port }
          : wire.target,
    };
    if (wireId(next) === wireId(wire)) return [];
    const index = doc.wires.findIndex((one) => wireId(one) === wireId(wire));
    return [
      { op: 'remove_wire' as const, id: wireId(wire) },
      { op: 'insert_wire' as const, wire: next, index },
    ];
  });
}
