import { useMemo, useState } from 'react';
import { startJob } from '@/api/jobs';
import { randomKey } from '@/api/key';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { defaultsOf, fieldsOf, type JsonSchema, problemsOf } from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import type { SystemFormProps } from '@/ui/system-page';

/** The form of a kind without a page of its own, made from its schema alone. */
export function GenericForm({ system, initial, pending, problems, onSubmit }: SystemFormProps) {
  const schema = system.spec_schema as JsonSchema;
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [value, setValue] = useState(() => ({ ...defaultsOf(schema), ...initial }));
  const [tried, setTried] = useState(false);
  const found = useMemo(() => problemsOf(fields, value), [fields, value]);
  const shown = { ...problems, ...(tried ? found : {}) };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found).length === 0) onSubmit(value);
  };
  return (
    <form className="card job-form" onSubmit={submit} noValidate>
      <SchemaForm schema={schema} value={value} onChange={setValue} problems={shown} />
      <div className="form-foot">
        <button type="submit" className="btn primary" disabled={pending}>
          {pending ? 'Starting' : 'Start'}
        </button>
        <CopyAs what="Start" call={() => startJob({ ...value, kind: system.kind }, randomKey())} />
        {tried && Object.keys(found).length > 0 && (
          <span className="text-err" role="alert">
            {Object.keys(found).length} {Object.keys(found).length === 1 ? 'field needs' : 'fields need'} a
            look
          </span>
        )}
      </div>
    </form>
  );
}
