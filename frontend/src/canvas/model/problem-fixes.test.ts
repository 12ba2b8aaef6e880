import { expect, it } from 'vitest';
import type { Problem } from './checks';
import { findNode, wireNumber } from './document';
import { catalog, chain, wire } from './fixture';
import { dispatch, openHistory } from './history';
import { applyFix } from './insert';
import { widthFixOf } from './problem-fixes';

function problem(hint: string, code = 'shape.width'): Problem {
  const pointer = `/wires/${wireNumber(chain, wire('linear.y>output.x'))}`;
  return {
    pointer,
    code,
    message: '',
    hint,
    node_id: 'output',
    port: 'x',
    line: null,
    column: null,
    severity: 'error',
  };
}

it('E31: the hint of a width that does not fit becomes a button that puts a layer on the wire', () => {
  const hint = 'Set the last layer’s width to 7 (or 0, as many as classes), or insert Linear 64 to 7.';
  const repair = widthFixOf(catalog, chain, problem(hint));
  expect(repair?.fix.label).toBe('Insert Linear 64 → 7');
  if (!repair) return;
  const { source, target } = repair.wire;
  const fixed = dispatch(openHistory(chain), applyFix(catalog, chain, source, target, repair.fix));
  expect(findNode(fixed.doc, 'linear_2')?.params['out_features']).toBe(7);
  expect(fixed.doc.wires).toEqual([
    wire('input.h>linear.x'),
    wire('linear.y>linear_2.x'),
    wire('linear_2.y>output.x'),
  ]);
  expect(fixed.past).toHaveLength(1);
});

it('other problems, and hints without two widths, get no button', () => {
  expect(widthFixOf(catalog, chain, problem('Insert Linear 32 to 64 on this wire.'))?.fix.label).toBe(
    'Insert Linear 32 → 64',
  );
  expect(widthFixOf(catalog, chain, problem('Wire a vertex feature here.'))).toBeNull();
  expect(widthFixOf(catalog, chain, problem('Insert Linear 32 to 64.', 'wire.kind'))).toBeNull();
});
