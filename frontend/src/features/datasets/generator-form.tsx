import { useState } from 'react';
import { sentence } from '@/ui/format';
import { defaultsOf, type JsonSchema, type Value } from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import type { DatasetCreate } from './api';
import { type FormProps, SourceForm } from './source-form';

type Generators = Record<string, JsonSchema>;

/** A graph from a seed; the settings are those of the generator's own JSON schema. */
export function GeneratorForm({ sources, pending, onCreate }: FormProps) {
  const generators = sources.generators as Generators;
  const kinds = Object.keys(generators);
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [values, setValues] = useState<Record<string, Value>>(() =>
    Object.fromEntries(kinds.map((one) => [one, defaultsOf(generators[one] ?? {}, generators[one] ?? {})])),
  );
  const [name, setName] = useState('');
  const schema = generators[kind];
  const submit = () => {
    const source = { type: 'generator', generator: { ...values[kind], type: kind } };
    onCreate({ name: name.trim(), source: source as unknown as DatasetCreate['source'] });
  };
  return (
    <SourceForm
      name={name}
      onName={setName}
      ready={schema !== undefined}
      pending={pending}
      action="Generate"
      onSubmit={submit}
    >
      <fieldset className="segments" aria-label="Generator">
        {kinds.map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {generators[one]?.title ? sentence(generators[one]?.title ?? one) : one}
          </button>
        ))}
      </fieldset>
      {schema && (
        <>
          <p className="text-2">{schema.description}</p>
          <SchemaForm
            schema={schema}
            value={values[kind] ?? {}}
            omit={['type']}
            onChange={(value) => setValues({ ...values, [kind]: value })}
          />
        </>
      )}
    </SourceForm>
  );
}
