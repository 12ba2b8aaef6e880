import { describe, expect, it } from 'vitest';
import { indexCatalog, portsOf } from './catalog';
import { checkConnection, type Held, openConnection, type Refusal } from './connect';
import { canonicalJson, type ModelDoc } from './document';
import { setParam } from './edits';
import { widthFix } from './fixes';
import { catalog, chain, docOf, node } from './fixture';
import { dispatch, openHistory } from './history';
import { applyFix } from './insert';
import type { ValueType } from './value-types';

const NO_TYPES = new Map<string, ValueType>();

function output(text: string): Held {
  const [id = '', port = ''] = text.split('.');
  return { end: { node: id, port }, side: 'output' };
}

function input(text: string): Held {
  return { ...output(text), side: 'input' };
}

function refused(doc: ModelDoc, a: Held, b: Held, types = NO_TYPES): Refusal {
  const verdict = checkConnection(doc, catalog, types, a, b);
  if (verdict.ok) throw new Error('the wire was accepted');
  return verdict;
}

describe('a wire that does not fit is refused with its reason', () => {
  it('E7: an edge feature into a vertex port says what was expected and what came, and offers to aggregate first', () => {
    const doc = docOf([node('attend'), node('linear')]);
    const types = new Map<string, ValueType>([['attend.a', { kind: 'edge', shape: [8] }]]);
    const refusal = refused(doc, output('attend.a'), input('linear.x'), types);
    expect(refusal.code).toBe('kind_mismatch');
    expect(refusal.title).toBe('Edge feature cannot go into a vertex feature port');
    expect(refusal.message).toBe(
      'Linear.x expects vertex feature [N, d], got edge feature [E, 8] from Attend.',
    );
    expect(refusal.fixes.map((fix) => fix.label)).toEqual(['Insert Aggregate']);
  });

  it('E9: output to output and input to input say so', () => {
    expect(refused(chain, output('input.h'), output('linear.y')).code).toBe('both_outputs');
    expect(refused(chain, input('output.x'), input('linear.x')).code).toBe('both_inputs');
    expect(refused(chain, output('input.h'), output('input.h')).code).toBe('same_port');
  });

  it('a loop is refused from either end', () => {
    const doc = docOf(
      [node('input'), node('add'), node('linear'), node('attend')],
      ['input.h>add.x', 'add.y>linear.x', 'linear.y>attend.x'],
    );
    expect(refused(doc, output('attend.y'), input('add.x')).code).toBe('cycle');
    expect(refused(doc, input('add.x'), output('attend.y')).message).toBe(
      'Attend already depends on Add, so Add cannot take a value from it.',
    );
    expect(refused(doc, output('linear.y'), input('linear.x')).code).toBe('same_node');
  });

  it('a taken port offers to replace its wire; a port of many wires takes one more', () => {
    const doc = docOf(
      [node('input'), node('linear'), node('add'), node('output')],
      ['input.h>output.x', 'input.h>add.x'],
    );
    const refusal = refused(doc, output('linear.y'), input('output.x'));
    expect(refusal.code).toBe('port_taken');
    expect(refusal.fixes[0]).toMatchObject({ kind: 'replace', label: 'Replace Input' });
    expect(checkConnection(doc, catalog, NO_TYPES, output('linear.y'), input('add.x')).ok).toBe(true);
    expect(refused(doc, output('input.h'), input('add.x')).code).toBe('already_connected');
  });

  it('a port the layer does not have is named', () => {
    expect(refused(chain, output('linear.z'), input('output.x')).message).toBe('Linear has no port “z”.');
  });

  it('E8: one picked-up wire judges all ports of 1,000 nodes', () => {
    const nodes = Array.from({ length: 1000 }, (_, i) => node(`n${i}`, 'linear'));
    const doc = docOf(
      nodes,
      nodes.slice(1).map((one, i) => `n${i}.y>${one.id}.x`),
    );
    const judgeAll = () => {
      const open = openConnection(doc, catalog, NO_TYPES, output('n500.y'));
      return nodes.map((one) => {
        const verdict = open.judge(input(`${one.id}.x`));
        return verdict.ok ? 'ok' : verdict.code;
      });
    };
    const codes = judgeAll();
    expect(codes[10]).toBe('cycle');
    expect(codes[900]).toBe('port_taken');
  });
});

describe('wires are never dropped behind the user’s back', () => {
  it('E10: changing a parameter or a type keeps every wire', () => {
    const changed = dispatch(openHistory(chain), setParam(chain, 'linear', 'out_features', 0)).doc;
    expect(changed.wires).toEqual(chain.wires);
  });

  it('E11: a layer that is not known here keeps its wires and shows the ports they name', () => {
    const doc = docOf(
      [node('input'), node('odd', 'from_the_future'), node('output')],
      ['input.h>odd.left', 'odd.right>output.x'],
    );
    const ports = portsOf(catalog, doc, node('odd', 'from_the_future'));
    expect(ports.inputs.map((port) => port.name)).toEqual(['left']);
    expect(ports.outputs.map((port) => port.name)).toEqual(['right']);
    expect(canonicalJson(openHistory(doc).doc)).toBe(canonicalJson(doc));
  });
});

describe('one-click fixes', () => {
  it('E31: where no layer turns a vertex feature into one of edges, the edge features that are there are offered', () => {
    const doc = docOf([node('input'), node('linear'), node('aggregate')], ['input.h>linear.x']);
    const layers = catalog.layers.filter((layer) => layer.type !== 'attend');
    const verdict = checkConnection(
      doc,
      indexCatalog(layers),
      NO_TYPES,
      output('linear.y'),
      input('aggregate.e'),
    );
    const fix = verdict.ok ? undefined : verdict.fixes[0];
    expect(fix?.label).toBe('Wire Input.e instead');
    if (!fix) return;
    const [linear, aggregate] = [output('linear.y').end, input('aggregate.e').end];
    const mended = dispatch(openHistory(doc), applyFix(catalog, doc, linear, aggregate, fix)).doc;
    expect(mended.wires.at(-1)).toEqual({ source: { node: 'input', port: 'e' }, target: aggregate });
  });

  it('E31: an edge feature on its way to a vertex is aggregated first', () => {
    const refusal = refused(docOf([node('attend'), node('linear')]), output('attend.a'), input('linear.x'));
    expect(refusal.fixes[0]?.label).toBe('Insert Aggregate');
  });

  it('E31: a width that does not fit offers the simplest layer that changes it', () => {
    const fix = widthFix(catalog, 'vertex', 64, 32);
    expect(fix).toMatchObject({ label: 'Insert Linear 64 → 32', params: { out_features: 32 } });
  });
});
