import { defaultsOf, type JsonSchema, type Value } from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import type { Sources } from './api';

/** How files become a graph. Folded away: the defaults suit each format. */
export function OptionsForm({
  sources,
  value,
  onChange,
}: {
  sources: Sources;
  value: Value;
  onChange: (value: Value) => void;
}) {
  const schema = sources.options as JsonSchema;
  return (
    <details className="formats">
      <summary>Options of the import</summary>
      <SchemaForm schema={schema} value={{ ...defaultsOf(schema, schema), ...value }} onChange={onChange} />
    </details>
  );
}
