/**
 * The palette as the server describes it, indexed for look-ups. No layer, port or parameter is written down here.
 *
 * A layer the server does not know (a model from a newer version) has no entry: its node is drawn as a placeholder and
 * keeps its wires.
 */
import { type DocNode, type Endpoint, findNode, type ModelDoc, type Scalar, wiresOf } from './document';
import { UNKNOWN_KIND } from './value-types';

export interface PortInfo {
  readonly name: string;
  readonly kind: string;
  readonly doc: string;
  readonly optional: boolean;
  readonly many: boolean;
}

/** The JSON schema of one parameter, with the hints the server adds. */
export interface ParamSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly 'x-dim'?: unknown;
  readonly 'x-advanced'?: unknown;
  readonly 'x-zero'?: unknown;
  readonly 'x-relations'?: unknown;
}

/** How the width of a result follows from what arrives (`workers/zoo/shapes.py` says what each part means). */
export interface WidthRule {
  readonly of: 'port' | 'setting' | 'dataset';
  readonly name: string;
  readonly side_by_side: boolean;
  readonly times: string | null;
  readonly unless: readonly [string, string] | null;
}

export interface LayerInfo {
  readonly type: string;
  readonly title: string;
  readonly group: string;
  readonly doc: string;
  readonly formula: string;
  readonly tags: readonly string[];
  readonly inputs: readonly PortInfo[];
  readonly outputs: readonly PortInfo[];
  readonly params: Readonly<Record<string, ParamSchema>>;
  /** Takes settings beyond these: sizes and constants of the vertex program it is given. */
  readonly open_params: boolean;
  /** Name of the vertex program the layer runs, if it runs one. */
  readonly program: string | null;
  readonly program_source: string | null;
  /** What the graph is given before the layer runs. */
  readonly needs?: { readonly self_loops: boolean };
  /** Widths of its results by port; none where only the server can tell. */
  readonly widths?: Readonly<Record<string, WidthRule>> | null;
}

export interface Catalog {
  readonly layers: readonly LayerInfo[];
  readonly byType: ReadonlyMap<string, LayerInfo>;
}

export function indexCatalog(layers: readonly LayerInfo[]): Catalog {
  return { layers, byType: new Map(layers.map((layer) => [layer.type, layer])) };
}

export const EMPTY_CATALOG: Catalog = indexCatalog([]);

/** Does a value come from the neighbours here? Such a layer begins the next hop. */
export function readsNeighbours(layer: LayerInfo | undefined): boolean {
  return layer?.group === 'message passing' || (layer?.group === 'over relations' && layer.program !== null);
}

export type Side = 'input' | 'output';

export interface FoundPort {
  readonly side: Side;
  readonly port: PortInfo;
}

/** Ports of a node: the catalog's, or, for an unknown layer, those its wires name. */
export function portsOf(
  catalog: Catalog,
  doc: ModelDoc,
  node: DocNode,
): { inputs: PortInfo[]; outputs: PortInfo[] } {
  const layer = catalog.byType.get(node.type);
  const inputs = [...(layer?.inputs ?? [])];
  const outputs = [...(layer?.outputs ?? [])];
  for (const wire of wiresOf(doc, node.id)) {
    if (wire.target.node === node.id) addUnknown(inputs, wire.target.port, layer === undefined);
    if (wire.source.node === node.id) addUnknown(outputs, wire.source.port, layer === undefined);
  }
  return { inputs, outputs };
}

export function findPort(catalog: Catalog, doc: ModelDoc, end: Endpoint, side: Side): PortInfo | undefined {
  const node = findNode(doc, end.node);
  if (!node) return undefined;
  const layer = catalog.byType.get(node.type);
  if (!layer) return unknownPort(end.port, true);
  const ports = side === 'input' ? layer.inputs : layer.outputs;
  return ports.find((port) => port.name === end.port);
}

export function titleOf(catalog: Catalog, node: DocNode): string {
  return node.title || catalog.byType.get(node.type)?.title || node.type;
}

/** The defaults a new node starts with: the schema's own, so the document says what runs. */
export function defaultParams(layer: LayerInfo): Record<string, Scalar> {
  const out: Record<string, Scalar> = {};
  for (const [name, schema] of Object.entries(layer.params)) {
    if (isScalar(schema.default)) out[name] = schema.default;
  }
  return out;
}

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
}

function addUnknown(ports: PortInfo[], name: string, wholeLayer: boolean): void {
  if (!ports.some((port) => port.name === name)) ports.push(unknownPort(name, wholeLayer));
}

function unknownPort(name: string, wholeLayer: boolean): PortInfo {
  return {
    name,
    kind: UNKNOWN_KIND,
    doc: wholeLayer ? 'This layer is not known here.' : 'This layer has no such port.',
    optional: true,
    many: true,
  };
}
