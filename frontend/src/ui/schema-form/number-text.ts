/** Numbers as people type and read them: `1,000`, `0.5` or `0,5`, `1e-4`. */
export type NumberKind = 'integer' | 'number';

/** What may stand in such a field at all. */
export function typed(text: string, kind: NumberKind): string {
  return text.replace(kind === 'integer' ? /[^\d,-]/g : /[^\d.,eE+-]/g, '');
}

/** The number in a text; null for none, undefined for what is no number yet, such as `-` or `1e`. */
export function numberIn(text: string, kind: NumberKind): number | null | undefined {
  if (text.trim() === '') return null;
  const decimal = kind === 'number' && /^[^,.]*,[^,.]*$/.test(text) && !/^-?[1-9]\d{0,2},\d{3}$/.test(text);
  const value = Number(decimal ? text.replace(',', '.') : text.replaceAll(',', ''));
  return Number.isFinite(value) && !/^[+-]?$/.test(text) ? value : undefined;
}

/** Whole numbers with a comma every three digits. */
export function shownNumber(value: number, kind: NumberKind): string {
  return kind === 'integer' ? value.toLocaleString('en-US') : String(value);
}
