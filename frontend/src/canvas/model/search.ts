/** Finding a layer by a few letters of its name, its tags and synonyms, or what it does. */
import Fuse from 'fuse.js';
import type { Catalog, LayerInfo } from './catalog';
import { kindsMeet } from './value-types';

export function paletteIndex(catalog: Catalog): Fuse<LayerInfo> {
  return new Fuse([...catalog.layers], {
    keys: [
      { name: 'title', weight: 4 },
      { name: 'type', weight: 2 },
      { name: 'tags', weight: 3 },
      { name: 'group', weight: 1 },
      { name: 'doc', weight: 1 },
    ],
    threshold: 0.34,
    ignoreLocation: true,
    minMatchCharLength: 2,
  });
}

export function searchPalette(index: Fuse<LayerInfo>, catalog: Catalog, query: string): readonly LayerInfo[] {
  const text = query.trim();
  if (text === '') return catalog.layers;
  if (text.length === 1) {
    return catalog.layers.filter((layer) => layer.title.toLowerCase().startsWith(text.toLowerCase()));
  }
  return index.search(text).map((hit) => hit.item);
}

/** Layers with a port that fits a wire dropped on empty canvas; those that need nothing else come first. */
export function layersFitting(
  layers: readonly LayerInfo[],
  kind: string,
  side: 'input' | 'output',
): LayerInfo[] {
  const ports = (layer: LayerInfo) => (side === 'input' ? layer.inputs : layer.outputs);
  const needs = (layer: LayerInfo) => layer.inputs.filter((port) => !port.optional).length;
  return layers
    .filter((layer) => ports(layer).some((port) => kindsMeet(port.kind, kind)))
    .sort((a, b) => needs(a) - needs(b));
}
