import { expect, it } from 'vitest';
import { catalog } from './fixture';
import { layersFitting, searchPalette } from './search';

const find = (query: string) => searchPalette(catalog, query).map((layer) => layer.type);

it('E18: a layer is found by name, by tag and with a slip of the finger', () => {
  expect(find('softmax')).toEqual(['attend']);
  expect(find('lin')[0]).toBe('linear');
  expect(find('agregate')[0]).toBe('aggregate');
  expect(find('')).toHaveLength(catalog.layers.length);
  expect(find('zzzz')).toEqual([]);
  expect(find('edge soft')).toEqual(['attend']);
  expect(find('L')).toEqual(['linear']);
});

it('E19: a dropped wire lists only layers that can take it', () => {
  expect(layersFitting(catalog.layers, 'edge', 'input').map((layer) => layer.type)).toEqual(['aggregate']);
});
