/** May this value be wired to that operand, and if not, why, and which edit of the program would help? */
import type { Schemas } from '@/api/types';
import { KINDS, nodeOf, type Place, type ProgramGraph, type ProgramNode, shapeOf } from './graph';

export type ProgramEdit = Schemas['ProgramEditCreate']['edits'][number];

/** The end of a wire in hand. */
export type Held =
  | { readonly side: 'output'; readonly node: string; readonly place: Place }
  | { readonly side: 'input'; readonly node: string; readonly argument: number };

export interface VertexFix {
  readonly label: string;
  readonly edits: readonly ProgramEdit[];
}

export type VertexVerdict =
  | { readonly ok: true; readonly edits: readonly ProgramEdit[]; readonly name: string }
  | {
      readonly ok: false;
      readonly code: string;
      readonly title: string;
      readonly message: string;
      readonly fixes: readonly VertexFix[];
    };

type Refusal = Extract<VertexVerdict, { ok: false }>;

const AGGREGATES = ['sum', 'mean', 'max'] as const;

export function judge(graph: ProgramGraph, a: Held, b: Held): VertexVerdict {
  if (a.side === b.side) return sameSide(a, b);
  const [from, to] =
    a.side === 'output' ? [a, b as Held & { side: 'input' }] : [b as Held & { side: 'output' }, a];
  const source = nodeOf(graph, from.node);
  const target = nodeOf(graph, to.node);
  const operand = target?.arguments[to.argument];
  if (!source || !target || !operand)
    return refuse('gone', 'That is no longer there', 'The program has changed; try again.');
  if (!operand.editable)
    return refuse(
      'fixed',
      'This operand is not wired',
      `${target.label} gets ${operand.name} another way; edit it in the code.`,
    );
  if (source.id === target.id || reaches(graph, target.id, source.id)) return crossesBack(source, target);
  return (
    edgeIntoVertex(graph, source, target, to.argument) ??
    vertexIntoList(source, from.place, target, to.argument) ??
    computedWeight(source, target, to.argument) ?? {
      ok: true,
      name: `Wire ${source.name ?? source.label} to ${target.label}`,
      edits: [rewire(target.id, to.argument, source.id, from.place === 'source' ? 'source' : null)],
    }
  );
}

function rewire(node: string, argument: number, source: string, place: Place | null): ProgramEdit {
  return { edit: 'rewire', node, argument, operand: { node: source, ...(place ? { place } : {}) } };
}

function sameSide(a: Held, b: Held): Refusal {
  if (a.node === b.node) return refuse('same_port', 'That is the same node', 'End the wire at another node.');
  return a.side === 'output'
    ? refuse(
        'both_outputs',
        'Both are outputs',
        'Both give a value. End the wire at an operand, on the left of a node.',
      )
    : refuse(
        'both_inputs',
        'Both are operands',
        'Both take a value. Start the wire at a value, on the right of a node.',
      );
}

function reaches(graph: ProgramGraph, from: string, to: string): boolean {
  const open = [from];
  const seen = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const wire of graph.wires) {
      if (wire.source !== at || wire.back || seen.has(wire.target)) continue;
      seen.add(wire.target);
      open.push(wire.target);
    }
  }
  return false;
}

function crossesBack(source: ProgramNode, target: ProgramNode): Refusal {
  const [from, to] = [source.name ?? source.label, target.name ?? target.label];
  return refuse(
    'crosses_back',
    'This wire would run backwards',
    source.id === target.id
      ? `${from} would wait for its own value.`
      : `${from} already depends on ${to}, so ${to} cannot wait for it. Values go from left to right; to repeat a step, write a \`for\` loop.`,
  );
}

/** Whether the node's value is one an edge. */
export function isEdgeValue(node: ProgramNode): boolean {
  return node.value.listed || node.lane === 'edge';
}

function typed(node: ProgramNode, place: Place = node.value.place): string {
  return `${KINDS[place].word} ${shapeOf(node, place)}`.trim();
}

function edgeIntoVertex(
  graph: ProgramGraph,
  source: ProgramNode,
  target: ProgramNode,
  argument: number,
): Refusal | null {
  if (!isEdgeValue(source) || (target.lane !== 'vertex' && target.lane !== 'result')) return null;
  const name = freshName(graph, 'gathered');
  return {
    ok: false,
    code: 'aggregate_first',
    title: 'Edge values cannot go into a per-vertex op',
    message: `${target.label}.${target.arguments[argument]?.name} expects a vertex value [N, d], got ${typed(source)} from ${source.name ?? source.label}. A vertex has many in-edges, so aggregate first.`,
    fixes: AGGREGATES.map((op) => ({
      label: op === 'sum' ? 'Aggregate first: sum over in-edges' : op,
      edits: [
        { edit: 'add_op', op, operands: [{ node: source.id }], name },
        rewire(target.id, argument, name, null),
      ],
    })),
  };
}

function vertexIntoList(
  source: ProgramNode,
  place: Place,
  target: ProgramNode,
  argument: number,
): Refusal | null {
  const lists = target.kind === 'aggregate' || target.op === 'softmax';
  if (
    !lists ||
    isEdgeValue(source) ||
    (source.lane === 'input' && source.kind === 'parameter') ||
    place === 'source'
  )
    return null;
  const fix = (label: string, at: Place): VertexFix => ({
    label,
    edits: [rewire(target.id, argument, source.id, at)],
  });
  return {
    ok: false,
    code: 'gather_first',
    title: `${target.label} is over edges`,
    message: `${target.label}.${target.arguments[argument]?.name} expects an edge value [E, d], got ${typed(source)}. Every in-edge can bring the value of its source.`,
    fixes: [fix('Gather source to edge', 'source')],
  };
}

function computedWeight(source: ProgramNode, target: ProgramNode, argument: number): Refusal | null {
  const weight = target.op === 'matmul' || target.op === 'linear';
  if (!weight || argument !== 1 || source.value.place === 'parameter') return null;
  return {
    ok: false,
    code: 'needs_parameter',
    title: 'The right side of a product is a parameter',
    message: `${target.label}.${target.arguments[1]?.name} expects a parameter, got ${typed(source)}. Two computed values are multiplied by dot.`,
    fixes: [
      {
        label: 'Use dot',
        edits: [{ edit: 'set_op', node: target.id, op: 'dot' }, rewire(target.id, 1, source.id, null)],
      },
    ],
  };
}

export function freshName(graph: ProgramGraph, wanted: string): string {
  const taken = new Set(graph.nodes.flatMap((node) => [node.name, node.id]));
  for (let i = 1; ; i++) {
    const name = i === 1 ? wanted : `${wanted}${i}`;
    if (!taken.has(name)) return name;
  }
}

function refuse(code: string, title: string, message: string): Refusal {
  return { ok: false, code, title, message, fixes: [] };
}
