/** Settings in a few letters, for the face of a node. */
import type { LayerInfo, ParamSchema } from '../model/catalog';
import type { DocNode, Scalar } from '../model/document';

export function paramLabel(name: string, schema: ParamSchema | undefined): string {
  const text = schema?.title ?? name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first plain settings of a node: `out features 8, heads 8`. One alone stands without its name. */
export function summary(layer: LayerInfo | undefined, node: DocNode, most: number): string {
  const plain = Object.entries(layer?.params ?? {})
    .filter(([, schema]) => !schema['x-advanced'] && !schema['x-relations'])
    .slice(0, most);
  return plain
    .map(([name, schema]) => {
      const value = valueText(node.params[name] ?? (schema.default as Scalar | undefined), schema);
      return most === 1 ? value : `${name.replaceAll('_', ' ')} ${value}`;
    })
    .join(', ');
}

export function valueText(value: Scalar | undefined, schema: ParamSchema): string {
  if (value === 0 && schema['x-zero']) return 'auto';
  if (value === undefined || value === '') return 'not set';
  return String(value);
}
