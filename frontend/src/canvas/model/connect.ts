/**
 * May this port be wired to that one, and if not, why, and what would help?
 *
 * Only what the canvas can know without computing shapes is judged here: sides, kinds, cycles, taken ports. Shapes are the
 * server's: its problems arrive with the next validation and mark the wire.
 *
 * `openConnection` does the graph work once when a wire is picked up; each port is then judged in constant time.
 */
import { type Catalog, findPort, type PortInfo, type Side, titleOf } from './catalog';
import { type Endpoint, findNode, type ModelDoc, portKey, type Wire, wiresInto } from './document';
import { type Fix, kindFixes, rewireFixes } from './fixes';
import { kindsMeet, kindWord, portText, typeText, type ValueType } from './value-types';

export type RefusalCode =
  | 'same_port'
  | 'both_outputs'
  | 'both_inputs'
  | 'same_node'
  | 'unknown_port'
  | 'kind_mismatch'
  | 'cycle'
  | 'port_taken'
  | 'already_connected';

export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly title: string;
  readonly message: string;
  readonly fixes: readonly Fix[];
}

export interface Accepted {
  readonly ok: true;
  readonly wire: Wire;
}

export type Verdict = Accepted | Refusal;

export interface Held {
  readonly end: Endpoint;
  readonly side: Side;
}

/** Types the last validation found, by `node.port`. */
export type PortTypes = ReadonlyMap<string, ValueType>;

export interface OpenConnection {
  readonly held: Held;
  judge(other: Held): Verdict;
}

export function openConnection(
  doc: ModelDoc,
  catalog: Catalog,
  types: PortTypes,
  held: Held,
): OpenConnection {
  const unreachable = reached(doc, held.end.node, held.side === 'output' ? 'up' : 'down');
  return { held, judge: (other) => judge({ doc, catalog, types, unreachable }, held, other) };
}

export function checkConnection(
  doc: ModelDoc,
  catalog: Catalog,
  types: PortTypes,
  a: Held,
  b: Held,
): Verdict {
  return openConnection(doc, catalog, types, a).judge(b);
}

interface Context {
  readonly doc: ModelDoc;
  readonly catalog: Catalog;
  readonly types: PortTypes;
  readonly unreachable: ReadonlySet<string>;
}

function judge(context: Context, a: Held, b: Held): Verdict {
  if (a.side === b.side) return sameSide(a, b);
  const [source, target] = a.side === 'output' ? [a.end, b.end] : [b.end, a.end];
  const { doc, catalog } = context;
  const output = findPort(catalog, doc, source, 'output');
  const input = findPort(catalog, doc, target, 'input');
  if (!output || !input) return unknownPort(context, output ? target : source);
  if (source.node === target.node)
    return refuse(
      'same_node',
      'A layer cannot feed itself',
      `${name(context, source.node)} would wait for its own result.`,
    );
  if (context.unreachable.has(b.end.node)) return cycle(context, source, target);
  if (!kindsMeet(output.kind, input.kind)) return kindMismatch(context, source, target, output, input);
  return portState(context, { source, target }, input);
}

function sameSide(a: Held, b: Held): Refusal {
  if (portKey(a.end) === portKey(b.end))
    return refuse('same_port', 'That is the same port', 'Drop the wire on a port of another layer.');
  return a.side === 'output'
    ? refuse(
        'both_outputs',
        'Both are outputs',
        `${portKey(a.end)} and ${portKey(b.end)} both give a value. End the wire at an input, on the left of a layer.`,
      )
    : refuse(
        'both_inputs',
        'Both are inputs',
        `${portKey(a.end)} and ${portKey(b.end)} both take a value. Start the wire at an output, on the right of a layer.`,
      );
}

function unknownPort(context: Context, end: Endpoint): Refusal {
  return refuse('unknown_port', 'No such port', `${name(context, end.node)} has no port “${end.port}”.`);
}

function cycle(context: Context, source: Endpoint, target: Endpoint): Refusal {
  const [from, to] = [name(context, source.node), name(context, target.node)];
  return refuse(
    'cycle',
    'This would close a loop',
    `${from} already depends on ${to}, so ${to} cannot take a value from it.`,
  );
}

function kindMismatch(
  context: Context,
  source: Endpoint,
  target: Endpoint,
  output: PortInfo,
  input: PortInfo,
): Refusal {
  const got = context.types.get(portKey(source));
  return {
    ok: false,
    code: 'kind_mismatch',
    title: `${sentence(kindWord(output.kind))} cannot go into a ${kindWord(input.kind)} port`,
    message: `${name(context, target.node)}.${target.port} expects ${portText(input)}, got ${got ? typeText(got) : portText(output)} from ${name(context, source.node)}.`,
    fixes: remedies(context, target, output, input),
  };
}

/** A layer that turns the one kind into the other; where there is none, another output that gives what is wanted. */
function remedies({ catalog, doc }: Context, target: Endpoint, output: PortInfo, input: PortInfo): Fix[] {
  const layers = kindFixes(catalog, output.kind, input.kind);
  if (layers.length > 0) return layers;
  const fed = wiresInto(doc, target).map((wire) => wire.source.node);
  const after = reached(doc, target.node, 'down');
  return rewireFixes(catalog, doc, input.kind, new Set([target.node, ...after, ...fed]));
}

function portState(context: Context, wire: Wire, input: PortInfo): Verdict {
  const arriving = wiresInto(context.doc, wire.target);
  const title = name(context, wire.target.node);
  if (arriving.some((one) => portKey(one.source) === portKey(wire.source))) {
    return refuse(
      'already_connected',
      'Already connected',
      `This wire is there: ${portKey(wire.source)} feeds ${title}.${input.name}.`,
    );
  }
  const [old] = arriving;
  if (!old || input.many) return { ok: true, wire };
  return {
    ok: false,
    code: 'port_taken',
    title: 'This port takes one wire',
    message: `${title}.${input.name} is already fed by ${name(context, old.source.node)}.`,
    fixes: [{ kind: 'replace', label: `Replace ${name(context, old.source.node)}`, wire: old }],
  };
}

/** Nodes that feed `start` (up) or are fed by it (down), itself left out. */
export function reached(doc: ModelDoc, start: string, direction: 'up' | 'down'): Set<string> {
  const next = new Map<string, string[]>();
  for (const { source, target } of doc.wires) {
    const [from, to] = direction === 'up' ? [target.node, source.node] : [source.node, target.node];
    const list = next.get(from);
    if (list) list.push(to);
    else next.set(from, [to]);
  }
  const seen = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(next.get(node) ?? []));
  }
  return seen;
}

function name(context: Context, id: string): string {
  const node = findNode(context.doc, id);
  return node ? titleOf(context.catalog, node) : id;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function refuse(code: RefusalCode, title: string, message: string): Refusal {
  return { ok: false, code, title, message, fixes: [] };
}
