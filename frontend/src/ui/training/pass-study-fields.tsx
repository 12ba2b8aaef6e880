import { Checkbox } from '@mantine/core';
import type { AnyRecord } from '@/api/types';
import { defaultsOf, type JsonSchema } from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';

/** Whether each pass of the compiler is measured afterwards, which of them, and over how many epochs. */
export function PassStudyFields(props: {
  /** Of the study itself. */
  schema: JsonSchema;
  value: AnyRecord | null;
  onChange: (value: AnyRecord | null) => void;
  possible: boolean;
  problems: Record<string, string>;
}) {
  const { schema, possible } = props;
  const value = possible ? props.value : null;
  return (
    <fieldset className="train-section bare pass-study" disabled={!possible}>
      <Checkbox
        label="Each pass off, one at a time"
        description="What fusion, folding and every other pass of the compiler saves: time, memory and kernels of an epoch without it. A short run each, in a process of its own."
        checked={value !== null}
        error={props.problems['']}
        onChange={(event) => props.onChange(event.currentTarget.checked ? defaultsOf(schema) : null)}
      />
      {value && (
        <SchemaForm schema={schema} value={value} onChange={props.onChange} problems={props.problems} />
      )}
    </fieldset>
  );
}
