import type { JsonSchema, Value } from '@/ui/schema-form/fields';

/** The format that was chosen, else the one told by the files' names; null while neither says one. */
export function formatOf(value: Value, told: string | null): string | null {
  const chosen = value['format'];
  return typeof chosen === 'string' && chosen !== 'auto' ? chosen : told;
}

/** Options that say nothing to a format; none while it is not known. */
export function notRead(schema: JsonSchema, format: string | null): string[] {
  if (format === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, option]) =>
    option['x-formats']?.includes(format) === false ? [name] : [],
  );
}
