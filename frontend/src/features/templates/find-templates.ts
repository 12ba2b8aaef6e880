/** Finding a template by its name, its paper, what it learns, or any word its layers are known by. */
import type { Template } from '@/api/types';
import type { Catalog } from '@/canvas/model/catalog';
import { type Field, rank } from '@/canvas/model/rank';

/** What a template learns, in words: the task's name and others people say for it. */
const TASKS: Readonly<Record<string, { label: string; words: readonly string[] }>> = {
  node_classification: { label: 'Vertices', words: ['node classification', 'vertex classes', 'labels'] },
  link_prediction: { label: 'Links', words: ['link prediction', 'edges', 'recommendation', 'embedding'] },
  kg_link_prediction: { label: 'Triples', words: ['knowledge graph', 'link prediction', 'embedding'] },
  graph_classification: {
    label: 'Graphs',
    words: ['graph classification', 'molecules', 'readout', 'pooling'],
  },
};

export function taskOf(template: Template): string {
  return String(template.task['type'] ?? 'node_classification');
}

export function taskLabel(task: string): string {
  return TASKS[task]?.label ?? task.replaceAll('_', ' ');
}

/** Layers that make it what it is: those that read neighbours, each once. */
export function tagsOf(template: Template, catalog: Catalog): string[] {
  const types = [...new Set((template.doc.nodes ?? []).map((node) => node.type))];
  const layers = types.flatMap((type) => catalog.byType.get(type) ?? []);
  return layers.filter((layer) => layer.group === 'message passing').map((layer) => layer.title);
}

export function findTemplates(
  templates: readonly Template[],
  catalog: Catalog,
  query: string,
  task: string | undefined,
): readonly Template[] {
  const suited = templates.filter((template) => task === undefined || taskOf(template) === task);
  return query.trim() === '' ? suited : rank(suited, (template) => fieldsOf(template, catalog), query);
}

function fieldsOf(template: Template, catalog: Catalog): Field[] {
  return [
    { text: template.title, weight: 4 },
    ...wordsOf(template, catalog).map((text) => ({ text, weight: 2 })),
    { text: template.description, weight: 2 },
    { text: template.paper, weight: 1 },
  ];
}

function wordsOf(template: Template, catalog: Catalog): string[] {
  const types = [...new Set((template.doc.nodes ?? []).map((node) => node.type))];
  const layers = types.flatMap((type) => catalog.byType.get(type) ?? []);
  const told = layers.filter((layer) => !['input', 'output'].includes(layer.type));
  return [
    ...told.flatMap((layer) => [layer.title, ...layer.tags]),
    ...(TASKS[taskOf(template)]?.words ?? []),
    template.dataset_title,
  ];
}
