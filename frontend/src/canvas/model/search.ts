/** Finding a layer by a few letters of its name, its tags and synonyms, or what it does. */
import type { Catalog, LayerInfo } from './catalog';
import { type Field, rank } from './rank';
import { kindsMeet } from './value-types';

export function searchPalette(catalog: Catalog, query: string): readonly LayerInfo[] {
  const text = query.trim();
  if (text === '') return catalog.layers;
  if (text.length === 1) {
    return catalog.layers.filter((layer) => layer.title.toLowerCase().startsWith(text.toLowerCase()));
  }
  return rank(catalog.layers, fieldsOf, text);
}

function fieldsOf({ title, type, tags, group, doc }: LayerInfo): Field[] {
  return [
    { text: title, weight: 4 },
    ...tags.map((text) => ({ text, weight: 3 })),
    { text: type, weight: 2 },
    { text: group, weight: 1 },
    { text: doc, weight: 1 },
  ];
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
