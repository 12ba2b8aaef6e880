/**
 * Relations of the chosen dataset, and which of them a layer reads: its setting `relations`, a text that names them with
 * `; ` between, as `workers/zoo/chosen_relations.py` reads it. No text stands for all.
 */
import { shortName } from '@/ui/format';
import type { Catalog, LayerInfo } from './catalog';
import type { DocNode, ModelDoc } from './document';
import { setParam } from './edits';
import type { Command } from './history';

export const SETTING = 'relations';

export interface Relation {
  readonly source: string;
  readonly name: string;
  readonly target: string;
  readonly edges: number;
}

export interface Pinned {
  /** Numbers of the named relations, ascending. */
  readonly numbers: readonly number[];
  /** Names that the dataset has not. */
  readonly unknown: readonly string[];
}

export function relationName({ source, name, target }: Relation): string {
  return `${source} -${name}-> ${target}`;
}

/** The relations a text names; null where it names none, which is all of them. */
export function pinnedIn(text: unknown, relations: readonly Relation[]): Pinned | null {
  let rest = typeof text === 'string' ? text.trim() : '';
  if (rest === '') return null;
  const known = relations.map((relation, number) => ({ number, name: relationName(relation) }));
  const [numbers, unknown] = [new Set<number>(), [] as string[]];
  while (rest !== '') {
    const found = known
      .filter(({ name }) => rest.startsWith(name) && /^\s*(;|$)/.test(rest.slice(name.length)))
      .sort((a, b) => b.name.length - a.name.length)[0];
    const name = found?.name ?? (rest.split(';')[0] as string);
    if (found) numbers.add(found.number);
    else if (name.trim() !== '') unknown.push(name.trim());
    rest = rest.slice(name.length).trim().replace(/^;\s*/, '');
  }
  return { numbers: [...numbers].sort((a, b) => a - b), unknown };
}

/** The text that names these relations. */
export function pinText(numbers: readonly number[], relations: readonly Relation[]): string {
  const kept = relations.filter((_, number) => numbers.includes(number));
  return kept.map(relationName).join('; ');
}

/** Can the layer be pinned? One that runs a program of the model itself can where that is over relations. */
export function readsRelations(layer: LayerInfo | undefined, node: DocNode, doc: ModelDoc): boolean {
  if (!layer?.params[SETTING]?.['x-relations']) return false;
  if (layer.program_source !== null) return true;
  const program = doc.programs.find((one) => one.name === node.params['program']);
  return /\bTypedVertex\b/.test(program?.source ?? '');
}

/** Layers of the model that read edges of relations. */
export function overRelations(catalog: Catalog, doc: ModelDoc): readonly DocNode[] {
  return doc.nodes.filter((node) => readsRelations(catalog.byType.get(node.type), node, doc));
}

export function pin(
  doc: ModelDoc,
  id: string,
  numbers: readonly number[],
  relations: readonly Relation[],
): Command {
  const [only] = numbers.map((number) => shortName(relations[number]?.name ?? ''));
  const name =
    numbers.length === 0
      ? 'Run for each relation'
      : numbers.length === 1
        ? `Pin to ${only}`
        : `Pin to ${numbers.length} relations`;
  return { ...setParam(doc, id, SETTING, pinText(numbers, relations)), name };
}

/** What a layer reads after a chip was pressed: of all, that one alone; of some, one more or less. */
export function toggled(pinned: Pinned | null, number: number): readonly number[] {
  if (!pinned) return [number];
  const { numbers } = pinned;
  return numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number];
}

/** Whether a layer reads the edges of a relation. */
export function reads(node: DocNode, number: number, relations: readonly Relation[]): boolean {
  return pinnedIn(node.params[SETTING], relations)?.numbers.includes(number) ?? true;
}

/** On the face of a node: what it is pinned to, in a few letters. */
export function pinnedWords(text: unknown): string {
  const names = typeof text === 'string' ? text.split(';').filter((one) => one.trim() !== '') : [];
  return names.length > 1
    ? `${names.length} relations`
    : shortName(names[0]?.trim().replace(/^.*? -(.*)-> .*$/, '$1') ?? '');
}
