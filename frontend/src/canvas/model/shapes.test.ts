import { describe, expect, it } from 'vitest';
import { createEditorStore } from '../view/store';
import { indexCatalog, type LayerInfo, type WidthRule } from './catalog';
import { problemsOfNode } from './checks';
import type { ModelDoc } from './document';
import { setParam } from './edits';
import { docOf, node, catalog as plain } from './fixture';
import { localTypes, SYMBOLS } from './shapes';
import { shapeText } from './value-types';

function rule(more: Partial<WidthRule>): WidthRule {
  return { of: 'port', name: 'x', side_by_side: false, times: null, unless: null, ...more };
}

const RULES: Record<string, LayerInfo['widths']> = {
  input: { h: rule({ of: 'dataset', name: 'features' }), e: rule({ of: 'dataset', name: 'edge_features' }) },
  linear: { y: rule({ of: 'setting', name: 'out_features' }) },
  attend: { y: rule({ of: 'setting', name: 'out_features', times: 'heads', unless: ['join', 'mean'] }) },
  bend: { y: rule({}) },
  add: { y: rule({}) },
  output: {},
};
const HEADS = { heads: { type: 'integer', default: 2 }, join: { type: 'string', default: 'concat' } };
const catalog = indexCatalog(
  plain.layers.map((layer) => ({
    ...layer,
    params: layer.type === 'attend' ? { ...layer.params, ...HEADS } : layer.params,
    widths: RULES[layer.type] ?? null,
  })),
);
const NOTHING_KNOWN = (doc: ModelDoc) => ({ doc, types: new Map() });
const typesOf = (doc: ModelDoc, sizes = SYMBOLS) =>
  Object.fromEntries(
    [...localTypes(catalog, doc, sizes, NOTHING_KNOWN(doc))].map(([key, type]) => [key, shapeText(type)]),
  );

const model = docOf(
  [node('input'), node('linear'), node('bend'), node('attend'), node('add'), node('output')],
  ['input.h>linear.x', 'linear.y>bend.x', 'bend.y>attend.x', 'bend.y>add.x', 'add.y>output.x'],
);

describe('E23: shapes while one types', () => {
  it('says a shape on every wire, and another width at once on all that follow', () => {
    const store = createEditorStore(model, catalog);
    store.getState().setSizes({ features: 9, edge_features: 0, classes: 3 });
    const labels = () =>
      ['input.h', 'linear.y', 'bend.y', 'add.y'].map((key) => {
        const type = store.getState().checks.types.get(key);
        return type && shapeText(type);
      });
    expect(labels()).toEqual(['[N, 9]', '[N, 64]', '[N, 64]', '[N, 64]']);
    store.getState().dispatch(setParam(model, 'linear', 'out_features', 32));
    expect(labels()).toEqual(['[N, 9]', '[N, 32]', '[N, 32]', '[N, 32]']);
    store.getState().undo();
    expect(labels()).toEqual(['[N, 9]', '[N, 64]', '[N, 64]', '[N, 64]']);
  });

  it('shows what the server answered instead, and keeps what says the same', () => {
    const store = createEditorStore(model, catalog);
    store.getState().setSizes(SYMBOLS);
    const told = store.getState().checks.types;
    store.getState().setChecks({ types: new Map([...told].map(([key, type]) => [key, { ...type }])) }, model);
    expect(store.getState().checks.types).toBe(told);
    store.getState().setChecks({ types: new Map([['linear.y', { kind: 'vertex', shape: [7] }]]) }, model);
    expect([...store.getState().checks.types.keys()]).toEqual(['linear.y']);
  });

  it('keeps a problem that says the same, so that nothing is drawn anew', () => {
    const store = createEditorStore(model, catalog);
    const problem = {
      pointer: '/nodes/add',
      code: 'a',
      message: 'b',
      hint: '',
      node_id: 'add',
      port: null,
      line: null,
      column: null,
      severity: 'error',
    };
    store.getState().setChecks({ problems: [problem] }, model);
    const before = problemsOfNode(store.getState().checks, 'add');
    store.getState().setChecks({ problems: [{ ...problem }] }, model);
    expect(problemsOfNode(store.getState().checks, 'add')).toBe(before);
  });

  it('multiplies by heads unless they are averaged', () => {
    const wide = docOf(
      [node('input'), node('attend', 'attend', { out_features: 4, heads: 3 })],
      ['input.h>attend.x'],
    );
    const mean = docOf(
      [node('input'), node('attend', 'attend', { out_features: 4, join: 'mean' })],
      ['input.h>attend.x'],
    );
    expect(typesOf(wide)['attend.y']).toBe('[N, 12]');
    expect(typesOf(mean)['attend.y']).toBe('[N, 4]');
  });

  it('knows nothing behind a setting out of bounds, widths that differ, or a circle', () => {
    const odd = docOf(
      [node('input'), node('linear', 'linear', { out_features: 'wide' })],
      ['input.h>linear.x'],
    );
    expect(typesOf(odd)['linear.y']).toBeUndefined();
    const clash = docOf(
      [node('input'), node('linear'), node('add')],
      ['input.h>linear.x', 'input.h>add.x', 'linear.y>add.x'],
    );
    expect(typesOf(clash)['add.y']).toBe('[N, 64]');
    expect(typesOf(clash, { ...SYMBOLS, features: 9 })['add.y']).toBeUndefined();
    const circle = docOf([node('bend'), node('two', 'bend')], ['bend.y>two.x', 'two.y>bend.x']);
    expect(typesOf(circle)).toEqual({});
  });

  it('remembers what only the server can tell, until its inputs change', () => {
    const own = docOf(
      [node('linear'), node('input'), node('aggregate')],
      ['input.e>aggregate.e', 'input.h>linear.x'],
    );
    const types = localTypes(catalog, own, { ...SYMBOLS, edge_features: 4 }, NOTHING_KNOWN(own));
    const answer = new Map([...types, ['aggregate.y', { kind: 'vertex', shape: [4] }]]);
    const known = { doc: own, types: answer };
    const again = (doc: ModelDoc, edge_features: number) =>
      localTypes(catalog, doc, { ...SYMBOLS, edge_features }, known).get('aggregate.y');
    expect(again(own, 4)).toEqual({ kind: 'vertex', shape: [4] });
    expect(again(own, 5)).toBeUndefined();
    const other = { ...own, nodes: own.nodes.map((one) => ({ ...one })) };
    expect(again(other, 4)).toBeUndefined();
  });
});
