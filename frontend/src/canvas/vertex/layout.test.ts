import { describe, expect, it } from 'vitest';
import { addOp, neighbour } from './commands';
import type { Place, ProgramGraph, ProgramNode } from './graph';
import { type Held, judge } from './judge';
import { layOut } from './layout';

type Given = Partial<ProgramNode> & Pick<ProgramNode, 'id' | 'lane'>;

function node({ id, lane, ...rest }: Given, inputs: readonly (readonly [string, Place])[] = []): ProgramNode {
  const at = { line: 1, column: 1, end_line: 1, end_column: 9 };
  const place = lane === 'edge' ? 'edge' : 'vertex';
  return {
    kind: 'op',
    stage: 0,
    op: id,
    label: id,
    name: id,
    value: { place, shape: [8], declared: null, listed: lane === 'edge', per: '' as const },
    arguments: inputs.map(([source, from], i) => ({
      name: 'xyz'[i] ?? '',
      kind: 'wire' as const,
      node: source,
      place: from,
      text: source,
      span: at,
      editable: true,
    })),
    span: at,
    statement: at,
    blocks: [],
    can: [],
    id,
    lane,
    ...rest,
  };
}

/** Scores of the edges from both ends, their sum at the vertices, and a bias. */
function program(): ProgramGraph {
  const parameter = {
    place: 'parameter' as const,
    shape: [8, 8],
    declared: 'in, out',
    listed: false,
    per: '' as const,
  };
  const nodes = [
    node({ id: 'v.h', lane: 'input', kind: 'feature' }),
    node({ id: 'W', lane: 'input', kind: 'parameter', value: parameter }),
    node({ id: 'v.z', lane: 'vertex', op: 'matmul' }, [
      ['v.h', 'vertex'],
      ['W', 'parameter'],
    ]),
    node({ id: 'own', lane: 'vertex' }, [['v.z', 'vertex']]),
    node({ id: 'score', lane: 'edge' }, [
      ['v.z', 'source'],
      ['v.z', 'destination'],
    ]),
    node({ id: 'bent', lane: 'edge' }, [['score', 'edge']]),
    node({ id: 'y', lane: 'aggregation', kind: 'aggregate', op: 'sum' }, [['bent', 'edge']]),
    node({ id: 'sum', lane: 'vertex', stage: 1 }, [
      ['y', 'vertex'],
      ['own', 'vertex'],
    ]),
    node({ id: 'return', lane: 'result', kind: 'result', stage: 1, name: null }, [['sum', 'vertex']]),
  ];
  const wires = nodes.flatMap((target) =>
    target.arguments.map((operand, argument) => ({
      source: operand.node ?? '',
      target: target.id,
      argument,
      place: operand.place,
      back: false,
    })),
  );
  return { source: '', name: 'f', doc: '', nodes, wires, problems: [], focus: null };
}

const out = (id: string, place: Place = 'vertex'): Held => ({ side: 'output', node: id, place });
const into = (id: string, argument = 0): Held => ({ side: 'input', node: id, argument });

describe('the lanes of a program', () => {
  const graph = program();
  const layout = layOut(graph);

  it('stand from inputs to result, and values run from left to right', () => {
    expect(layout.lanes.map((lane) => lane.title)).toEqual([
      'Inputs',
      'Per vertex',
      'Per edge',
      'Aggregation',
      'Per vertex',
      'Result',
    ]);
    for (const points of layout.routes.values()) {
      const [begin, end] = [points[0], points.at(-1)];
      expect((end?.x ?? 0) >= (begin?.x ?? 0)).toBe(true);
    }
  });

  it('no two nodes overlap, and every node is in a lane', () => {
    const boxes = [...layout.boxes.values()];
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
      expect(layout.lanes.some((lane) => lane.from <= a.x && a.x + a.width <= lane.to)).toBe(true);
    });
  });

  it('a node that only continues another stands under it; work of the vertices waits for its reader', () => {
    const at = (id: string) => layout.boxes.get(id);
    expect(at('bent')?.x).toBe(at('score')?.x);
    expect((at('own')?.x ?? 0) > (at('y')?.x ?? 0)).toBe(true);
  });

  it('the same program is laid out the same', () => {
    expect(layOut(program())).toEqual(layout);
  });
});

describe('a wire of a program', () => {
  const graph = program();

  it('E7: an edge value into a per-vertex op is refused with what was expected and what came', () => {
    const verdict = judge(graph, out('bent', 'edge'), into('sum', 1));
    if (verdict.ok) throw new Error('it must be refused');
    expect(verdict.message).toContain('expects a vertex value [N, d], got edge value [E, 8]');
  });

  it('E31: the one-click fix aggregates first, or gathers the source to the edge', () => {
    const first = judge(graph, out('bent', 'edge'), into('return'));
    const gather = judge(graph, out('v.z'), into('y'));
    if (first.ok || gather.ok) throw new Error('both must be refused');
    expect(first.fixes[0]).toEqual({
      label: 'Aggregate first: sum over in-edges',
      edits: [
        { edit: 'add_op', op: 'sum', operands: [{ node: 'bent' }], name: 'gathered' },
        { edit: 'rewire', node: 'return', argument: 0, operand: { node: 'gathered' } },
      ],
    });
    expect(gather.fixes[0]?.edits).toEqual([
      { edit: 'rewire', node: 'y', argument: 0, operand: { node: 'v.z', place: 'source' } },
    ]);
  });

  it('that would run backwards, or joins two outputs, says so', () => {
    const codes = [
      judge(graph, out('sum'), into('v.z')),
      judge(graph, out('v.z'), out('own')),
      judge(graph, out('own'), into('v.z', 1)),
    ].map((verdict) => (verdict.ok ? 'ok' : verdict.code));
    expect(codes).toEqual(['crosses_back', 'both_outputs', 'crosses_back']);
  });

  it('that fits is one edit of the text, from whichever end it was drawn', () => {
    const edits = [{ edit: 'rewire', node: 'sum', argument: 1, operand: { node: 'v.z' } }];
    expect(judge(graph, out('v.z'), into('sum', 1))).toMatchObject({ ok: true, edits });
    expect(judge(graph, into('sum', 1), out('v.z'))).toMatchObject({ ok: true, edits });
  });
});

describe('an operation from the palette', () => {
  const graph = program();
  const op = (name: string, group: string, operands: string[], listed = false) => ({
    op: name,
    group,
    operands,
    options: {},
    variadic: false,
    listed,
    ir: null,
    doc: '',
  });

  it('goes into the selected wire, behind the selected node, or before the result', () => {
    const relu = op('relu', 'activation', ['x']);
    const wire = { target: 'sum', argument: 0 };
    expect(addOp(graph, relu, { node: null, wire })).toEqual([
      { edit: 'insert_op', node: 'sum', argument: 0, op: 'relu', operands: [] },
    ]);
    expect(addOp(graph, relu, { node: 'own', wire: null })).toEqual([
      { edit: 'add_op', op: 'relu', operands: [{ node: 'own' }], name: 'relu' },
    ]);
    expect(addOp(graph, relu, { node: null, wire: null })).toMatchObject([{ node: 'return', argument: 0 }]);
  });

  it('brings the parameter it needs; an aggregation reads the neighbour', () => {
    const product = addOp(graph, op('matmul', 'dense', ['x', 'W']), { node: 'own', wire: null });
    expect(product[0]).toMatchObject({ edit: 'declare', what: 'parameter', shape: '8, 8' });
    expect(
      addOp(graph, op('mean', 'aggregation', ['entries'], true), { node: 'own', wire: null }),
    ).toMatchObject([{ operands: [{ node: 'own', place: 'source' }] }]);
  });

  it('arrows walk along wires and within columns', () => {
    const { boxes } = layOut(graph);
    expect(neighbour(graph, boxes, 'v.h', 'ArrowRight')).toBe('v.z');
    expect(neighbour(graph, boxes, 'y', 'ArrowLeft')).toBe('bent');
    expect(neighbour(graph, boxes, 'score', 'ArrowDown')).toBe('bent');
  });
});
