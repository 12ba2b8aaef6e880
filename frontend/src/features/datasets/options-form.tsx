import { defaultsOf, type JsonSchema, type Value } from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import type { Sources } from './api';
import { formatOf, notRead } from './import-options';

interface OptionsProps {
  sources: Sources;
  value: Value;
  /** The format that the names of the files speak for. */
  told?: string | null;
  onChange: (value: Value) => void;
}

/** How files become a graph: what the format at hand reads. Folded away: the defaults suit each format. */
export function OptionsForm({ sources, value, told = null, onChange }: OptionsProps) {
  const schema = sources.options as JsonSchema;
  return (
    <details className="formats">
      <summary>Options of the import</summary>
      <SchemaForm
        schema={schema}
        value={{ ...defaultsOf(schema, schema), ...value }}
        onChange={onChange}
        omit={notRead(schema, formatOf(value, told))}
      />
    </details>
  );
}
