/**
 * What flows on every wire, worked out in the browser while one types. The rules are the server's own, served with the
 * palette (`widths`); its validation remains the truth and takes the place of this a moment later.
 *
 * Where the server would stop (a setting out of bounds, a wire that does not fit, a cycle) nothing is known from there on.
 * What only the server can read, a model's own vertex program, keeps its last type while nothing about it has changed.
 */
import type { Catalog, LayerInfo, ParamSchema, WidthRule } from './catalog';
import { type DocNode, findNode, type ModelDoc, portKey, type Scalar, wiresInto, wiresOf } from './document';
import { EITHER, kindsMeet, sameType, type ValueType, width } from './value-types';

type Size = number | string;

/** What the dataset fixes: numbers once one is chosen, symbols before. */
export interface Sizes {
  readonly features: Size;
  readonly edge_features: Size;
  readonly classes: Size;
}

export const SYMBOLS: Sizes = { features: 'F', edge_features: 'K', classes: 'C' };

export type Types = ReadonlyMap<string, ValueType>;

/** The last answer, and what it was the answer for. */
export interface Known {
  readonly doc: ModelDoc;
  readonly types: Types;
}

/** Types of all output ports that can be told, by `node.port`. Linear in nodes and wires. */
export function localTypes(catalog: Catalog, doc: ModelDoc, sizes: Sizes, known: Known): Types {
  const found = new Map<string, ValueType>();
  const walk = { catalog, doc, sizes, known, found };
  for (const node of inOrder(doc)) visit(walk, node);
  return found;
}

/** The one object for one type, and the old map where nothing changed: what is drawn from it stays as it is. */
export function settled(before: Types, found: Types): Types {
  const same = new Map([...found].map(([key, type]) => [key, kept(before.get(key), type)]));
  const changed = same.size !== before.size || [...same].some(([key, type]) => before.get(key) !== type);
  return changed ? same : before;
}

function kept(before: ValueType | undefined, type: ValueType): ValueType {
  return before && sameType(before, type) ? before : type;
}

interface Walk {
  readonly catalog: Catalog;
  readonly doc: ModelDoc;
  readonly sizes: Sizes;
  readonly known: Known;
  readonly found: Map<string, ValueType>;
}

type Arriving = Readonly<Record<string, readonly ValueType[]>>;

function visit(walk: Walk, node: DocNode): void {
  const layer = walk.catalog.byType.get(node.type);
  const inputs = layer && arriving(walk, node, layer);
  if (!inputs || !settingsFit(layer, node)) return;
  if (!layer.widths) {
    for (const [key, type] of remembered(walk, node, layer)) walk.found.set(key, type);
    return;
  }
  const rows = Object.values(inputs).flat();
  for (const port of layer.outputs) {
    const rule = layer.widths[port.name];
    const size = rule && widthOf(walk, layer, node, rule, inputs);
    const kind = port.kind === EITHER ? rows[0]?.kind : port.kind;
    if (size !== undefined && kind) walk.found.set(`${node.id}.${port.name}`, { kind, shape: [size] });
  }
}

/** Types at each input; undefined where a wire does not fit, a port is empty, or what feeds it is not known. */
function arriving({ catalog, doc, found }: Walk, node: DocNode, layer: LayerInfo): Arriving | undefined {
  const inputs: Record<string, ValueType[]> = Object.fromEntries(layer.inputs.map((port) => [port.name, []]));
  for (const wire of wiresOf(doc, node.id)) {
    if (wire.target.node !== node.id) continue;
    const port = layer.inputs.find((one) => one.name === wire.target.port);
    const type = found.get(portKey(wire.source));
    const source = catalog.byType.get(findNode(doc, wire.source.node)?.type ?? '');
    if (!port || !type || !source || !kindsMeet(type.kind, port.kind)) return undefined;
    inputs[port.name]?.push(type);
  }
  const sound = layer.inputs.every(({ name, optional, many }) => {
    const count = inputs[name]?.length ?? 0;
    // A program may read nothing of a port: that too only the server can tell.
    return count === 1 || (count === 0 ? optional || !layer.widths : many);
  });
  const either = layer.inputs
    .filter((port) => port.kind === EITHER)
    .flatMap((port) => inputs[port.name] ?? []);
  return sound && either.every((type) => type.kind === either[0]?.kind) ? inputs : undefined;
}

function widthOf(
  walk: Walk,
  layer: LayerInfo,
  node: DocNode,
  rule: WidthRule,
  inputs: Arriving,
): Size | undefined {
  const one = sizeOf(walk, layer, node, rule, inputs);
  const alone = rule.unless !== null && settingOf(layer, node, rule.unless[0]) === rule.unless[1];
  const times = rule.times === null || alone ? 1 : Number(settingOf(layer, node, rule.times));
  return one === undefined ? undefined : joined(Array<Size>(times).fill(one));
}

function sizeOf(
  { sizes }: Walk,
  layer: LayerInfo,
  node: DocNode,
  rule: WidthRule,
  inputs: Arriving,
): Size | undefined {
  if (rule.of === 'dataset') return sizes[rule.name as keyof Sizes];
  if (rule.of === 'setting') {
    const value = settingOf(layer, node, rule.name);
    return value === 0 && layer.params[rule.name]?.['x-zero'] ? sizes.classes : Number(value);
  }
  const widths = (inputs[rule.name] ?? []).map(width);
  if (rule.side_by_side) return joined(widths);
  const [first, ...others] = new Set(widths.filter((one) => typeof one === 'number'));
  return others.length > 0 ? undefined : (first ?? widths[0]);
}

/** The width of values side by side; symbols stay visible, as in `64+F`. */
function joined(sizes: readonly Size[]): Size {
  const sum = sizes.reduce<number>((total, one) => total + (typeof one === 'number' ? one : 0), 0);
  const symbols = sizes.filter((one) => typeof one === 'string');
  return symbols.length > 0 ? [...(sum > 0 ? [String(sum)] : []), ...symbols].join('+') : sum;
}

function settingOf(layer: LayerInfo, node: DocNode, name: string): Scalar | undefined {
  return node.params[name] ?? (layer.params[name]?.default as Scalar | undefined);
}

function settingsFit(layer: LayerInfo, node: DocNode): boolean {
  return Object.entries(node.params).every(([name, value]) => {
    const schema = layer.params[name];
    return schema ? fits(schema, value) : layer.open_params;
  });
}

const TYPES: Readonly<Record<string, (value: Scalar) => boolean>> = {
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
};

function fits(schema: ParamSchema, value: Scalar): boolean {
  if (TYPES[schema.type ?? '']?.(value) === false) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  return typeof value !== 'number' || (value >= minimum && value <= maximum && value < exclusiveMaximum);
}

/** Types of a node that only the server can tell: the last ones, while it and what it is given are the same. */
function remembered({ doc, known, found }: Walk, node: DocNode, layer: LayerInfo): [string, ValueType][] {
  const program = (one: ModelDoc) => one.programs.find(({ name }) => name === node.params['program']);
  if (findNode(known.doc, node.id) !== node || program(known.doc) !== program(doc)) return [];
  const same = layer.inputs.every(({ name }) => {
    const [now, before] = [doc, known.doc].map((one) => wiresInto(one, { node: node.id, port: name }));
    return (
      now?.length === before?.length &&
      now?.every((wire, i) => {
        const [a, b] = [
          found.get(portKey(wire.source)),
          before?.[i] && known.types.get(portKey(before[i].source)),
        ];
        return a && b && sameType(a, b);
      })
    );
  });
  const keys = layer.outputs.map(({ name }) => `${node.id}.${name}`);
  return same
    ? keys.flatMap((key) => (known.types.has(key) ? [[key, known.types.get(key) as ValueType]] : []))
    : [];
}

/** Nodes after all that feeds them; those of a cycle, and all after it, are left out. */
function inOrder(doc: ModelDoc): DocNode[] {
  const waiting = new Map(doc.nodes.map((node) => [node.id, 0]));
  for (const { source, target } of doc.wires)
    if (waiting.has(source.node)) waiting.set(target.node, (waiting.get(target.node) ?? 0) + 1);
  const ready = doc.nodes.filter((node) => waiting.get(node.id) === 0);
  for (const node of ready) {
    for (const wire of wiresOf(doc, node.id)) {
      if (wire.source.node !== node.id) continue;
      const left = (waiting.get(wire.target.node) ?? 0) - 1;
      waiting.set(wire.target.node, left);
      const next = findNode(doc, wire.target.node);
      if (left === 0 && next) ready.push(next);
    }
  }
  return ready;
}
