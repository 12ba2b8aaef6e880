/** A small catalog and model for the tests of this folder; made up, not the product's palette. */
import { indexCatalog, type LayerInfo, type PortInfo } from './catalog';
import { type DocNode, EMPTY_DOC, type ModelDoc, type Wire } from './document';

function port(name: string, kind: string, more: Partial<PortInfo> = {}): PortInfo {
  return { name, kind, doc: '', optional: false, many: false, ...more };
}

function layer(
  type: string,
  inputs: PortInfo[],
  outputs: PortInfo[],
  more: Partial<LayerInfo> = {},
): LayerInfo {
  const title = type.charAt(0).toUpperCase() + type.slice(1);
  return {
    type,
    title,
    group: 'test',
    doc: '',
    formula: '',
    tags: [],
    params: {},
    program: null,
    program_source: null,
    open_params: false,
    inputs,
    outputs,
    ...more,
  };
}

const width = { type: 'integer', default: 64, 'x-dim': true };

export const catalog = indexCatalog([
  layer('input', [], [port('h', 'vertex'), port('e', 'edge')]),
  layer('encode', [port('x', 'vertex')], [port('y', 'vertex')], {
    params: { out_features: width },
    group: 'over relations',
  }),
  layer('linear', [port('x', 'vertex')], [port('y', 'vertex')], {
    params: { out_features: width },
    tags: ['dense'],
  }),
  layer('attend', [port('x', 'vertex')], [port('y', 'vertex'), port('a', 'edge')], {
    params: { out_features: width },
    group: 'message passing',
    program: 'attend',
    tags: ['softmax', 'edge softmax'],
  }),
  layer('aggregate', [port('e', 'edge')], [port('y', 'vertex')], {
    params: { reduce: { type: 'string', default: 'sum', enum: ['sum', 'mean'] } },
    group: 'message passing',
    program: 'aggregate',
  }),
  layer('bend', [port('x', 'vertex')], [port('y', 'vertex')]),
  layer('add', [port('x', 'vertex', { many: true })], [port('y', 'vertex')]),
  layer('output', [port('x', 'vertex')], []),
]);

export function node(id: string, type: string = id, params: DocNode['params'] = {}): DocNode {
  return { id, type, params, title: '' };
}

export function wire(text: string): Wire {
  const [source = '', target = ''] = text.split('>');
  const end = (part: string) => ({ node: part.split('.')[0] ?? '', port: part.split('.')[1] ?? '' });
  return { source: end(source), target: end(target) };
}

export function docOf(nodes: DocNode[], wires: string[] = []): ModelDoc {
  const layout = Object.fromEntries(nodes.map((one, i) => [one.id, { x: 200 * i, y: 0 }]));
  return { ...EMPTY_DOC, nodes, wires: wires.map(wire), layout };
}

/** input → linear → output. */
export const chain = docOf(
  [node('input'), node('linear'), node('output')],
  ['input.h>linear.x', 'linear.y>output.x'],
);
