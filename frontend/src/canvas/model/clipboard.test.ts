import { describe, expect, it } from 'vitest';
import { copyFragment, exportText, readFragment, renameInto } from './clipboard';
import { canonicalJson, EMPTY_DOC } from './document';
import { addFragment } from './edits';
import { chain, docOf, node } from './fixture';
import { dispatch, openHistory, undo } from './history';
import { freshId, randomKey, stemOf } from './ids';

const OFFSET = { x: 32, y: 32 };

describe('copy and paste', () => {
  it('E24: ids and copies need no secure context', () => {
    expect(freshId('gat', new Set(['gat', 'gat_2']))).toBe('gat_3');
    expect(freshId('2 bad!', new Set())).toBe('bad_');
    expect(stemOf('gat_12')).toBe('gat');
    expect(randomKey(() => 0.5)).toHaveLength(26);
    expect(new Set(Array.from({ length: 50 }, () => randomKey())).size).toBe(50);
  });

  it('pastes twice with fresh ids, wires following, as one step each', () => {
    const text = copyFragment(chain, new Set(['input', 'linear']));
    let history = openHistory(chain);
    for (let i = 0; i < 2; i++) {
      const { fragment, notes } = readFragment(text);
      expect(notes).toEqual([]);
      history = dispatch(
        history,
        addFragment(history.doc, renameInto(history.doc, fragment, OFFSET), 'Paste'),
      );
    }
    expect(history.doc.nodes.map((one) => one.id)).toEqual([
      'input',
      'linear',
      'output',
      'input_2',
      'linear_2',
      'input_3',
      'linear_3',
    ]);
    expect(history.doc.wires.at(-1)).toEqual({
      source: { node: 'input_3', port: 'h' },
      target: { node: 'linear_3', port: 'x' },
    });
    expect(history.doc.layout['linear_2']).toEqual({ x: 232, y: 32 });
    expect(history.past).toHaveLength(2);
    expect(undo(undo(history)).doc).toEqual(chain);
  });

  it('a program travels with the layer that runs it and is renamed where the name is taken', () => {
    const program = { name: 'score', source: 'def score(v): ...' };
    const doc = { ...docOf([node('p', 'program', { program: 'score' })]), programs: [program] };
    const other = { ...EMPTY_DOC, programs: [{ name: 'score', source: 'another' }] };
    const { fragment } = readFragment(copyFragment(doc, new Set(['p'])));
    const renamed = renameInto(other, fragment, OFFSET);
    expect(renamed.programs).toEqual([{ ...program, name: 'score_2' }]);
    expect(renamed.nodes[0]?.params).toEqual({ program: 'score_2' });
    expect(renameInto(doc, fragment, OFFSET).programs).toEqual([]);
  });

  it('an exported model reads back byte for byte', () => {
    const { fragment, notes } = readFragment(exportText(chain));
    expect(notes).toEqual([]);
    expect(canonicalJson(fragment)).toBe(canonicalJson(chain));
  });
});

describe('E25: foreign and broken text says what is wrong and keeps what it can', () => {
  it('text that is no model', () => {
    expect(readFragment('hello').notes[0]).toContain('not JSON');
    expect(readFragment('{"a": 1}').notes[0]).toContain('no list “nodes”');
    expect(readFragment('null').notes).toHaveLength(1);
  });

  it('keeps good nodes and wires, names the bad ones', () => {
    const text = JSON.stringify({
      schema_version: 9,
      nodes: [
        { id: 'a', type: 'linear', params: { out_features: 3, evil: { nested: true } } },
        { id: '1bad', type: 'linear' },
        { id: 'a', type: 'linear' },
        { id: 'b', type: 'from_the_future' },
        'text',
      ],
      wires: [
        { source: { node: 'a', port: 'y' }, target: { node: 'b', port: 'q' } },
        { source: { node: 'a', port: 'y' }, target: { node: 'gone', port: 'x' } },
        { source: 'a' },
      ],
      programs: [{ name: 'ok', source: 'x' }, {}],
      layout: { a: { x: 1, y: 2 }, b: { x: 'far', y: 0 } },
    });
    const { fragment, notes } = readFragment(text);
    expect(fragment.nodes.map((one) => one.id)).toEqual(['a', 'b']);
    expect(fragment.nodes[0]?.params).toEqual({ out_features: 3 });
    expect(fragment.wires).toHaveLength(1);
    expect(fragment.programs).toHaveLength(1);
    expect(fragment.layout).toEqual({ a: { x: 1, y: 2 } });
    expect(notes).toEqual([
      'Written by another version (9); read as version 1.',
      'Node 2 has no usable “id” and “type”; left out.',
      'Node 3 repeats the id “a”; left out.',
      'Node 5 has no usable “id” and “type”; left out.',
      'Wire 2 goes to “gone”, which is not in the text; left out.',
      'Wire 3 does not say its two ends; left out.',
      'Program 2 has no usable “name” and “source”; left out.',
    ]);
  });
});
