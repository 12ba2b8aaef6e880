import { describe, expect, it } from 'vitest';
import {
  COLUMNS,
  type ComparedRun,
  type Comparison,
  type Counterparts,
  curvePoints,
  lacking,
  looks,
  ratioTo,
  tableRows,
} from './compare-model';

const run = (system: ComparedRun['system'], epoch_s: number, peak: number): ComparedRun => ({
  system,
  version: '1.0',
  note: '',
  figures: {
    setup_s: 1,
    first_epoch_s: 2 * epoch_s,
    epoch_s,
    epochs_per_s: 1 / epoch_s,
    edges_per_s: 100 / epoch_s,
    peak_memory_bytes: peak,
    launches: system === 'asterism' ? 12 : null,
    kept_bytes: null,
    test_accuracy: 0.8,
    difference: system === 'asterism' ? null : 1e-6,
    curve: {
      epochs: [1, 2],
      seconds: [2 * epoch_s, 3 * epoch_s],
      train_loss: [2, 1],
      val_loss: [2.5, 1.5],
      val_accuracy: [0.4, 0.6],
    },
  },
});

const COMPARISON: Comparison = {
  epochs: 2,
  threads: 2,
  runs: [
    run('asterism', 0.1, 1000),
    run('pyg', 0.5, 4000),
    { system: 'dgl', version: '', note: 'DGL is not installed', figures: null },
  ],
};

describe('a comparison', () => {
  it('draws every system that ran over its own seconds', () => {
    expect(curvePoints(COMPARISON, 'val_loss')).toEqual([
      { step: 0.2, values: { asterism: 2.5 } },
      { step: 0.30000000000000004, values: { asterism: 1.5 } },
      { step: 1, values: { pyg: 2.5 } },
      { step: 1.5, values: { pyg: 1.5 } },
    ]);
    expect(looks(COMPARISON).map((look) => look.key)).toEqual(['asterism', 'pyg']);
  });

  it('counts in Asterism’s figures, and not at all where one is missing', () => {
    const times = COMPARISON.runs.map((one) => ratioTo(COMPARISON, one, (f) => f.epoch_s));
    expect(times).toEqual([1, 5, null]);
  });

  it('has a row for every system, the ones that did not run too', () => {
    const rows = tableRows(COMPARISON);
    expect(rows.map((row) => row.length)).toEqual([COLUMNS.length, COLUMNS.length, COLUMNS.length]);
    expect(rows[2]).toEqual(['dgl', '', ...Array(8).fill(null), 'DGL is not installed']);
  });
});

describe('what a peer lacks', () => {
  const known: Counterparts = {
    dgl: {
      input: { name: 'torch', undirected: false, only: {} },
      gcn: { name: 'GraphConv', undirected: true, only: {} },
      sage: { name: 'SAGEConv', undirected: false, only: { reduce: ['mean', 'pool'] } },
    },
  };
  const of = (nodes: { id: string; type: string; params?: Record<string, unknown> }[], directed = false) =>
    lacking(known, 'dgl', nodes, directed);

  it('is a layer without a row, a setting it has no word for, or a norm of another kind', () => {
    expect(of([{ id: 'in', type: 'input' }])).toEqual([]);
    expect(of([{ id: 'p', type: 'program' }])).toEqual(['p']);
    expect(of([{ id: 's', type: 'sage', params: { reduce: 'max' } }])).toEqual(['s']);
    expect(of([{ id: 's', type: 'sage', params: {} }])).toEqual([]);
    expect(of([{ id: 'g', type: 'gcn' }], true)).toEqual(['g']);
  });

  it('is nothing for what is no peer', () => {
    expect(lacking(known, 'passes_off', [{ id: 'p', type: 'program' }], false)).toEqual([]);
  });
});
