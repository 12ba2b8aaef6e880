/**
 * One-click remedies for a wire that does not fit, found in the catalog: a layer that takes what comes and gives what is
 * wanted. Nothing here knows a layer by name.
 */
import { type Catalog, type LayerInfo, type PortInfo, portsOf, titleOf } from './catalog';
import type { Endpoint, ModelDoc, Scalar, Wire } from './document';
import { kindsMeet } from './value-types';

export type Fix =
  | {
      readonly kind: 'insert';
      readonly label: string;
      readonly layer: LayerInfo;
      readonly input: string;
      readonly output: string;
      readonly params: Readonly<Record<string, Scalar>>;
    }
  | { readonly kind: 'replace'; readonly label: string; readonly wire: Wire }
  | { readonly kind: 'rewire'; readonly label: string; readonly source: Endpoint };

const AT_MOST = 3;

/** Layers that turn `from` into `to`, simplest first: "aggregate first" for an edge feature that must reach a vertex. */
export function kindFixes(catalog: Catalog, from: string, to: string): Fix[] {
  return candidates(catalog)
    .flatMap((layer) => bridge(layer, from, to))
    .sort((a, b) => settings(a.layer) - settings(b.layer))
    .slice(0, AT_MOST);
}

/** Outputs of the model that give what the port wants: an edge port takes the input's edge features. */
export function rewireFixes(
  catalog: Catalog,
  doc: ModelDoc,
  kind: string,
  except: ReadonlySet<string>,
): Fix[] {
  return doc.nodes
    .filter((node) => !except.has(node.id))
    .flatMap((node) =>
      portsOf(catalog, doc, node)
        .outputs.filter((port) => port.kind === kind)
        .map((port): Fix => {
          const label = `Wire ${titleOf(catalog, node)}.${port.name} instead`;
          return { kind: 'rewire', label, source: { node: node.id, port: port.name } };
        }),
    )
    .slice(0, 1);
}

/** A layer of the same kind whose only size decides its output width: "Insert Linear 64 → 32". */
export function widthFix(catalog: Catalog, kind: string, from: number | string, to: number): Fix | null {
  const found = candidates(catalog)
    .filter((layer) => sizeParams(layer).length === 1)
    .flatMap((layer) => bridge(layer, kind, kind))
    .sort((a, b) => settings(a.layer) - settings(b.layer))[0];
  const [size] = found ? sizeParams(found.layer) : [];
  if (!found || size === undefined) return null;
  return { ...found, label: `Insert ${found.layer.title} ${from} → ${to}`, params: { [size]: to } };
}

/** A layer over relations would make a whole model one of several relations: no remedy for one wire. */
function candidates(catalog: Catalog): LayerInfo[] {
  return catalog.layers.filter((layer) => layer.group !== 'over relations');
}

type Insert = Extract<Fix, { kind: 'insert' }>;

function bridge(layer: LayerInfo, from: string, to: string): Insert[] {
  const required = layer.inputs.filter((port) => !port.optional);
  const input = only(required);
  const output = layer.outputs.find((port) => kindsMeet(port.kind, to));
  if (!input || !output || !kindsMeet(from, input.kind)) return [];
  if (from !== to && input.kind === output.kind) return []; // gives the kind it takes
  return [
    {
      kind: 'insert',
      label: `Insert ${layer.title}`,
      layer,
      input: input.name,
      output: output.name,
      params: {},
    },
  ];
}

function only(ports: readonly PortInfo[]): PortInfo | undefined {
  return ports.length === 1 ? ports[0] : undefined;
}

function sizeParams(layer: LayerInfo): string[] {
  return Object.entries(layer.params)
    .filter(([, schema]) => Boolean(schema['x-dim']))
    .map(([name]) => name);
}

function settings(layer: LayerInfo): number {
  return Object.keys(layer.params).length;
}
