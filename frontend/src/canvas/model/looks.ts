/**
 * What is drawn of each layer and wire, worked out once when the document or its checks change and shared by all that draw.
 *
 * Moving a layer changes neither, so while one is dragged each of a thousand components finds its own look, the same
 * object as before, in constant time. A look whose parts are the same stays the same object, so only what changed redraws.
 */
import { type Catalog, findPort, type LayerInfo, type PortInfo, portsOf, titleOf } from './catalog';
import { type Checks, type Problem, problemOfWire, problemsOfNode, typeOfWire } from './checks';
import { type DocNode, findNode, type ModelDoc, type Wire, wireId } from './document';
import { isUnary } from './geometry';
import { UNKNOWN_KIND, type ValueType } from './value-types';

export interface NodeLook {
  readonly node: DocNode;
  readonly layer: LayerInfo | undefined;
  readonly title: string;
  readonly inputs: readonly PortInfo[];
  readonly outputs: readonly PortInfo[];
  readonly unary: boolean;
  readonly problems: readonly Problem[];
  /** The model is large: far out, its ports are bare marks. */
  readonly crowded: boolean;
}

export interface WireLook {
  readonly wire: Wire;
  readonly kind: string;
  readonly type: ValueType | undefined;
  readonly problem: Problem | undefined;
  /** Its target may be drawn right under its source. */
  readonly stacks: boolean;
  readonly crowded: boolean;
}

/** From here on a model counts as large. */
export const CROWDED_FROM = 120;

/** What looks are made of. */
export interface Scene {
  readonly doc: ModelDoc;
  readonly catalog: Catalog;
  readonly checks: Checks;
}

export const nodeLooks = remembered(
  ({ doc, catalog, checks }) =>
    new Map(
      doc.nodes.map((node): [string, NodeLook] => {
        const layer = catalog.byType.get(node.type);
        return [
          node.id,
          {
            node,
            layer,
            title: titleOf(catalog, node),
            ...portsOf(catalog, doc, node),
            unary: isUnary(layer),
            problems: problemsOfNode(checks, node.id),
            crowded: doc.nodes.length >= CROWDED_FROM,
          },
        ];
      }),
    ),
);

export const wireLooks = remembered(
  ({ doc, catalog, checks }) =>
    new Map(
      doc.wires.map((wire): [string, WireLook] => [
        wireId(wire),
        {
          wire,
          kind: findPort(catalog, doc, wire.source, 'output')?.kind ?? UNKNOWN_KIND,
          type: typeOfWire(checks, wire),
          problem: problemOfWire(checks, doc, wire),
          stacks: isUnary(catalog.byType.get(findNode(doc, wire.target.node)?.type ?? '')),
          crowded: doc.nodes.length >= CROWDED_FROM,
        },
      ]),
    ),
);

type Looks<T> = ReadonlyMap<string, T>;

/** The last answer is kept, and of a new one every look that says the same as before. */
function remembered<T extends object>(make: (scene: Scene) => Looks<T>): (scene: Scene) => Looks<T> {
  let last: Scene | null = null;
  let looks: Looks<T> = new Map();
  return (scene) => {
    if (last && sameScene(last, scene)) return looks;
    const before = looks;
    last = scene;
    looks = new Map([...make(scene)].map(([id, look]) => [id, kept(before.get(id), look)]));
    return looks;
  };
}

/** Positions are no part of a look. */
function sameScene(a: Scene, b: Scene): boolean {
  return (
    a.doc.nodes === b.doc.nodes &&
    a.doc.wires === b.doc.wires &&
    a.catalog === b.catalog &&
    a.checks.problems === b.checks.problems &&
    a.checks.types === b.checks.types
  );
}

function kept<T extends object>(before: T | undefined, look: T): T {
  return before && sameParts(before, look, 2) ? before : look;
}

/** The same, looked at `depth` levels down: lists of ports are made anew, the ports in them are not. */
function sameParts(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (depth === 0 || typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => sameParts(a[key as keyof typeof a], b[key as keyof typeof b], depth - 1))
  );
}
