import { expect, test } from 'vitest';
import { indexCatalog, type LayerInfo } from './catalog';
import { EMPTY_DOC, type ModelDoc } from './document';
import { dispatch, openHistory, undo } from './history';
import { overRelations, pin, pinnedIn, pinnedWords, pinText, reads, toggled } from './relations';

const RELATIONS = [
  { source: 'paper', name: 'cites', target: 'paper', edges: 12 },
  { source: 'author', name: 'writes', target: 'paper', edges: 9 },
  { source: 'a', name: 'b; paper', target: 'c', edges: 0 },
  { source: 'a', name: 'b', target: 'paper', edges: 1 },
];
const layer = (type: string, more: Partial<LayerInfo>): LayerInfo => ({
  type,
  title: type.toUpperCase(),
  group: 'over relations',
  doc: '',
  formula: '',
  tags: [],
  inputs: [],
  outputs: [],
  params: { relations: { type: 'string', default: '', 'x-relations': true } },
  open_params: false,
  program: type,
  program_source: 'def it(v: TypedVertex(h="in")): ...',
  ...more,
});
const CATALOG = indexCatalog([
  layer('rgcn', {}),
  layer('encode_types', { params: {} }),
  layer('program', { group: 'message passing', program: '', program_source: null, open_params: true }),
]);
const node = (id: string, type: string, params = {}) => ({ id, type, params, title: '' });
const DOC: ModelDoc = {
  ...EMPTY_DOC,
  nodes: [
    node('rows', 'encode_types'),
    node('one', 'rgcn', { relations: 'paper -cites-> paper' }),
    node('mine', 'program', { program: 'mine' }),
    node('plain', 'program', { program: 'plain' }),
  ],
  programs: [
    { name: 'mine', source: 'def mine(v: TypedVertex(h="in")):\n    return v.h' },
    { name: 'plain', source: 'def plain(v: Vertex(h="in")):\n    return v.h' },
  ],
};

test('a text names relations in any order, and may name what is not there', () => {
  expect(pinnedIn('', RELATIONS)).toBeNull();
  expect(pinnedIn(undefined, RELATIONS)).toBeNull();
  expect(pinnedIn('author -writes-> paper;paper -cites-> paper', RELATIONS)).toEqual({
    numbers: [0, 1],
    unknown: [],
  });
  expect(pinnedIn('x -y-> z; paper -cites-> paper;', RELATIONS)).toEqual({
    numbers: [0],
    unknown: ['x -y-> z'],
  });
});

test('a name may hold what parts names, and what is written is read again', () => {
  for (const numbers of [[2], [3], [2, 3], [0, 1, 2, 3]])
    expect(pinnedIn(pinText(numbers, RELATIONS), RELATIONS)).toEqual({ numbers, unknown: [] });
});

test('layers that read relations are those with the setting, and own programs over relations', () => {
  expect(overRelations(CATALOG, DOC).map((one) => one.id)).toEqual(['one', 'mine']);
});

test('a chip pins to its relation, then adds and takes away', () => {
  expect(toggled(null, 2)).toEqual([2]);
  expect(toggled({ numbers: [2], unknown: [] }, 0)).toEqual([2, 0]);
  expect(toggled({ numbers: [0, 2], unknown: ['x'] }, 2)).toEqual([0]);
});

test('pinning is one step with a name, taken back in one', () => {
  const before = openHistory(DOC);
  const after = dispatch(before, pin(DOC, 'mine', [1, 0], RELATIONS));
  const text = 'paper -cites-> paper; author -writes-> paper';
  expect(after.doc.nodes[2]?.params['relations']).toBe(text);
  expect(pinnedWords(text)).toBe('2 relations');
  expect(undo(after).doc.nodes).toEqual(DOC.nodes);
  expect(pin(DOC, 'mine', [1], RELATIONS).name).toBe('Pin to writes');
});

test('who reads a relation', () => {
  const [, one, mine] = DOC.nodes;
  expect([one, mine].map((each) => each && reads(each, 1, RELATIONS))).toEqual([false, true]);
  expect(pinnedWords('paper -cites-> paper')).toBe('cites');
  expect(pinnedWords('')).toBe('');
});
