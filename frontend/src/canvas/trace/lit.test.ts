import { describe, expect, it } from 'vitest';
import { type Compilation, focusFrom, focusText, litBy, nodeAt, type Placed } from './lit';
import { createTraceStore } from './store';

const span = (line: number, column: number, end: number) => ({
  line,
  column,
  end_line: line,
  end_column: end,
});

/** `v.z = v.h @ W` on line 2, `return sum(nb.z for nb in v.innbs)` on line 3; the pass adds a gradient. */
const data = {
  before: [
    'program f',
    '%0: param[4,4] = param() init="glorot_uniform" name="W"',
    '%1: vertex[4] = input() name="h"',
    '%2: vertex[4] = matmul(%1, %0)',
    '%3: edge[4] = gather_src(%2)',
    '%4: vertex[4] = sum_edges(%3) side="dst" to="vertex"',
    'return out=%4',
  ].join('\n'),
  places_before: [-1, 0, 1, 2, 2],
  stages: [{ name: 'differentiate', ir: '', places: [-1, 0, 1, 2, 2, 1], changed: true }],
  after: '',
  places_after: [-1, 0, 1, 2, 2, 1],
  spans: [span(2, 11, 14), span(2, 11, 18), span(3, 12, 40)],
  kernels: [
    { name: 'matmul_0', direction: 'forward', values: [2] },
    { name: 'dst_1', direction: 'forward', values: [3, 4] },
    { name: 'weight_grad_0', direction: 'backward', values: [5] },
  ],
} as unknown as Compilation;

const nodes: Placed[] = [
  { id: 'v.h', span: span(1, 10, 15) },
  { id: 'W', span: span(1, 20, 30) },
  { id: 'v.z', span: span(2, 11, 18) },
  { id: 'return/0', span: span(3, 12, 40) },
  { id: 'return', span: span(3, 5, 40) },
];

describe('what belongs together', () => {
  it('a line lights its operations, its node and its kernels, forward and backward', () => {
    const lit = litBy({ kind: 'line', line: 2 }, data, nodes);
    expect([...lit.places]).toEqual([0, 1]);
    expect([...lit.nodes]).toEqual(['v.z']);
    expect([...lit.kernels]).toEqual(['forward matmul_0', 'backward weight_grad_0']);
  });

  it('an operation of any stage lights its line, node and kernels', () => {
    for (const stage of [null, 0]) {
      const lit = litBy({ kind: 'op', stage, value: 4 }, data, nodes);
      expect([...lit.lines]).toEqual([3]);
      expect([...lit.nodes]).toEqual(['return/0']);
      expect([...lit.kernels]).toEqual(['forward dst_1']);
    }
  });

  it('a kernel lights all it is made of, and no other kernel', () => {
    const lit = litBy({ kind: 'kernel', key: 'backward weight_grad_0' }, data, nodes);
    expect([...lit.lines]).toEqual([2]);
    expect([...lit.nodes]).toEqual(['v.z']);
    expect([...lit.kernels]).toEqual(['backward weight_grad_0']);
  });

  it('a node lights its own operations, a declaration the leaf of its name', () => {
    expect([...litBy({ kind: 'node', id: 'v.z' }, data, nodes).places]).toEqual([0, 1]);
    const weight = litBy({ kind: 'node', id: 'W' }, data, nodes);
    expect([...weight.leaves]).toEqual(['W']);
    expect([...weight.lines]).toEqual([1]);
    expect([...litBy({ kind: 'op', stage: null, value: 0 }, data, nodes).nodes]).toEqual(['W']);
  });

  it('the innermost node around a place owns it', () => {
    expect(nodeAt(nodes, span(3, 20, 24))).toBe('return/0');
    expect(nodeAt(nodes, span(9, 1, 2))).toBeNull();
  });

  it('an address says what is looked at and is read back', () => {
    const all = ['line:8', 'op:before:12', 'op:7:12', 'kernel:forward dst_2', 'node:alpha/0'];
    for (const text of all) expect(focusText(focusFrom(text)!)).toBe(text);
    for (const text of ['', 'line:x', 'op:7', 'else:1', undefined]) expect(focusFrom(text)).toBeNull();
  });

  it('a layer of the model lights all that the dock shows of it, and is lit by any of that', () => {
    const store = createTraceStore();
    store.getState().setCompilation(data, 'gcn1');
    store.getState().hoverLayer('other');
    expect(store.getState().lit.lines.size).toBe(0);
    store.getState().hoverLayer('gcn1');
    expect([...store.getState().lit.lines]).toEqual([2, 3]);
    expect(store.getState().lit.kernels.size).toBe(data.kernels.length);
    expect([...store.getState().lit.leaves]).toEqual(['W', 'h']);
    store.getState().hoverLayer(null);
    expect(store.getState().litLayers().size).toBe(0);
    store.getState().hover({ kind: 'kernel', key: 'forward dst_1' });
    expect([...store.getState().litLayers()]).toEqual(['gcn1']);
  });

  it('what is under the pointer comes before what was kept; keeping it twice lets it go', () => {
    const store = createTraceStore();
    store.getState().setCompilation(data);
    store.getState().pin({ kind: 'line', line: 3 });
    store.getState().hover({ kind: 'line', line: 2 });
    expect([...store.getState().lit.lines]).toEqual([2]);
    store.getState().hover(null);
    expect([...store.getState().lit.lines]).toEqual([3]);
    store.getState().pin({ kind: 'line', line: 3 });
    expect(store.getState().lit.lines.size).toBe(0);
  });
});
