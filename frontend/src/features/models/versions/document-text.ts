import { canonicalJson, type ModelDoc, wireId } from '@/canvas/model/document';

/** Layers, wires, groups and notes as JSON lines, sorted by name, so that a text comparison shows what differs alone. */
export function documentText(doc: ModelDoc): string {
  const lines = (items: readonly { readonly key: string; readonly value: unknown }[]) =>
    items
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ value }) => `  ${pretty(value)}`)
      .join(',\n');
  const parts = {
    layers: doc.nodes.map((node) => ({ key: node.id, value: node })),
    wires: doc.wires.map((wire) => ({ key: wireId(wire), value: wireId(wire).replace('>', ' -> ') })),
    groups: doc.groups.map((group) => ({ key: group.id, value: group })),
    notes: doc.notes.map((note) => ({ key: note.id, value: note })),
  };
  const shown = Object.entries(parts).filter(([, items]) => items.length > 0);
  return `{\n${shown.map(([name, items]) => ` "${name}": [\n${lines(items)}\n ]`).join(',\n')}\n}\n`;
}

/** One setting a line, so that a changed setting is a changed line. */
function pretty(value: unknown): string {
  const sorted = JSON.parse(canonicalJson(value));
  return JSON.stringify(sorted, null, 1).replaceAll('\n', '\n  ');
}

/** The model's own programs under one another. */
export function programsText(doc: ModelDoc): string {
  return doc.programs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((program) => program.source.trimEnd())
    .join('\n\n\n');
}
