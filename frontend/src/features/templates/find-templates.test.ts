import { expect, it } from 'vitest';
import type { Template } from '@/api/types';
import { catalog } from '@/canvas/model/fixture';
import { findTemplates, tagsOf } from './find-templates';

const template = (name: string, types: string[], task = 'node_classification') =>
  ({
    name,
    title: name.toUpperCase(),
    description: `About ${name}.`,
    paper: 'Somebody, 2017',
    doc: { nodes: types.map((type, i) => ({ id: `n${i}`, type })) },
    task: { type: task },
    dataset_title: 'digits',
  }) as unknown as Template;

const all = [
  template('gat', ['input', 'attend', 'output']),
  template('pairs', ['linear'], 'link_prediction'),
];
const names = (query: string, task?: string) =>
  findTemplates(all, catalog, query, task).map((one) => one.name);

it('finds a template by its name, its layers’ synonyms, its task and its paper, and by nothing else', () => {
  expect(names('')).toEqual(['gat', 'pairs']);
  expect(names('softmax')).toEqual(['gat']);
  expect(names('dense')).toEqual(['pairs']);
  expect(names('recommendation')).toEqual(['pairs']);
  expect(names('somebody')).toHaveLength(2);
  expect(names('zzzz')).toEqual([]);
  expect(names('', 'link_prediction')).toEqual(['pairs']);
  expect(tagsOf(all[0]!, catalog)).toEqual(['Attend']);
});
