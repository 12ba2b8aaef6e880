/** What a person does to the drawing of a program, as edits of its text. */
import { drawnNodes, nodeOf, type ProgramGraph, type ProgramNode, type ProgramOp } from './graph';
import { freshName, isEdgeValue, type ProgramEdit } from './judge';

export interface Selected {
  readonly node: string | null;
  readonly wire: { readonly target: string; readonly argument: number } | null;
}

/**
 * Puts an operation where the selection says: into the selected wire, behind the selected node, or before the result.
 * What it needs besides is filled in: a new parameter for a product, the same value for two of a kind, else 1.
 */
export function addOp(graph: ProgramGraph, op: ProgramOp, selected: Selected): ProgramEdit[] {
  const wire = selected.wire ?? (selected.node === null ? resultWire(graph) : null);
  const reader = wire && nodeOf(graph, wire.target);
  const source =
    nodeOf(graph, selected.node) ??
    nodeOf(graph, reader && wire ? (reader.arguments[wire.argument]?.node ?? null) : null);
  const { declared, operands } = others(graph, op, source);
  if (wire && !op.listed)
    return [
      ...declared,
      { edit: 'insert_op', node: wire.target, argument: wire.argument, op: op.op, operands },
    ];
  if (!source) return [];
  const place = op.listed && !isEdgeValue(source) ? ({ place: 'source' } as const) : {};
  const name = freshName(graph, op.op);
  const added: ProgramEdit = {
    edit: 'add_op',
    op: op.op,
    operands: [{ node: source.id, ...place }, ...operands],
    name,
  };
  const takesOver = wire && op.group === 'aggregation';
  return takesOver
    ? [
        ...declared,
        added,
        { edit: 'rewire', node: wire.target, argument: wire.argument, operand: { node: name } },
      ]
    : [...declared, added];
}

function resultWire(graph: ProgramGraph): Selected['wire'] {
  const result = graph.nodes.find((node) => node.kind === 'result');
  return result ? { target: result.id, argument: 0 } : null;
}

function others(graph: ProgramGraph, op: ProgramOp, source: ProgramNode | undefined) {
  const declared: ProgramEdit[] = [];
  const names = op.operands.slice(1);
  const width = source?.value.shape?.at(-1);
  const operands = names.map((name) => {
    if (op.group === 'dense' && op.op !== 'dot') {
      const own = freshName(graph, name === 'b' ? 'bias' : 'weight');
      const size = String(width ?? 'in');
      declared.push({
        edit: 'declare',
        what: 'parameter',
        name: own,
        shape: name === 'b' ? size : `${size}, ${size}`,
      });
      return { text: own };
    }
    if (op.op === 'dot' && source) return { node: source.id };
    return {
      text:
        name === 'stop' ? String(width ?? 1) : name === 'start' ? '0' : name.startsWith('sizes') ? '-1' : '1',
    };
  });
  if (op.op === 'reshape' && operands.length === 0) operands.push({ text: '-1' });
  return { declared, operands };
}

/** The node next to one in a direction: along a wire, or above and below it in the drawing. */
export function neighbour(
  graph: ProgramGraph,
  boxes: ReadonlyMap<string, { x: number; y: number; height: number }>,
  from: string,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown',
): string | null {
  const at = boxes.get(from);
  if (!at) return null;
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const found = drawnNodes(graph).flatMap((node) => {
    const box = boxes.get(node.id);
    if (!box || node.id === from) return [];
    const dx = box.x - at.x;
    const dy = box.y + box.height / 2 - (at.y + at.height / 2);
    const ahead = { ArrowLeft: -dx, ArrowRight: dx, ArrowUp: -dy, ArrowDown: dy }[key];
    if (ahead <= 1 || (!sideways && Math.abs(dx) > 160)) return [];
    const wired = graph.wires.some(({ source, target }) =>
      key === 'ArrowRight' ? source === from && target === node.id : source === node.id && target === from,
    );
    return [{ id: node.id, cost: Math.hypot(dx, dy) + (sideways && !wired ? 2000 : 0) }];
  });
  return found.sort((a, b) => a.cost - b.cost)[0]?.id ?? null;
}
