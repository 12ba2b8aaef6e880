import { expect, it } from 'vitest';
import { catalog } from './fixture';
import { layersFitting, paletteIndex, searchPalette } from './search';

const index = paletteIndex(catalog);
const find = (query: string) => searchPalette(index, catalog, query).map((layer) => layer.type);

it('E18: a layer is found by name, by tag and with a slip of the finger', () => {
  expect(find('softmax')).toEqual(['attend']);
  expect(find('lin')[0]).toBe('linear');
  expect(find('agregate')[0]).toBe('aggregate');
  expect(find('')).toHaveLength(7);
  expect(find('zzzz')).toEqual([]);
});

it('E19: a dropped wire lists only layers that can take it', () => {
  expect(layersFitting(catalog.layers, 'edge', 'input').map((layer) => layer.type)).toEqual(['aggregate']);
});
