import './schema-form.css';
import { Select } from '@mantine/core';
import type { ComponentType } from 'react';
import { sentence } from '@/ui/format';
import {
  defaultsOf,
  type Field,
  fieldsOf,
  type JsonSchema,
  type Value,
  variantKey,
  variantName,
  variantsOf,
} from './fields';
import type { WidgetProps } from './widget';
import { WIDGETS } from './widgets';

export interface SchemaFormProps {
  schema: JsonSchema;
  value: Value;
  onChange: (value: Value) => void;
  /** What is wrong, by JSON pointer into `value`. */
  problems?: Record<string, string>;
  /** Widgets for `x-resource` fields, by resource name; a text field stands in for unknown ones. */
  resources?: Record<string, ComponentType<WidgetProps>>;
  /** Top-level fields the caller shows itself. */
  omit?: readonly string[];
}

type Context = Omit<SchemaFormProps, 'omit' | 'value' | 'onChange'>;

function Group({ field, value, onChange, context }: WidgetProps & { context: Context }) {
  return (
    <fieldset className="form-group">
      <legend>{field.label}</legend>
      <FieldList fields={field.fields} value={(value ?? {}) as Value} onChange={onChange} context={context} />
    </fieldset>
  );
}

/** One of several shapes: a select for which, then that shape's fields. */
function Variant({ field, value, onChange, context }: WidgetProps & { context: Context }) {
  const root = context.schema;
  const variants = variantsOf(field.schema, root);
  const current = (value ?? {}) as Value;
  const key = variantKey(variants[0]!) ?? 'type';
  const chosen = variants.find((v) => variantName(v) === String(current[key])) ?? variants[0]!;
  const pick = (name: string | null) => {
    const next = variants.find((v) => variantName(v) === name);
    if (next) onChange(defaultsOf(next, root));
  };
  return (
    <fieldset className="form-group">
      <legend>{field.label}</legend>
      <Select
        label={sentence(key)}
        description={field.help || undefined}
        data={variants.map((v) => ({ value: variantName(v)!, label: sentence(variantName(v)!) }))}
        value={variantName(chosen)}
        onChange={pick}
        allowDeselect={false}
      />
      <FieldList
        fields={fieldsOf(chosen, root, field.pointer)}
        value={current}
        onChange={onChange}
        context={context}
      />
    </fieldset>
  );
}

function FormField(props: WidgetProps & { context: Context }) {
  const { field, context } = props;
  const error = context.problems?.[field.pointer];
  if (field.kind === 'group') return <Group {...props} />;
  if (field.kind === 'variant') return <Variant {...props} />;
  const custom =
    field.kind === 'resource' ? context.resources?.[field.schema['x-resource'] ?? ''] : undefined;
  const Widget = custom ?? WIDGETS[field.kind] ?? WIDGETS.json!;
  return <Widget field={field} value={props.value} onChange={props.onChange} error={error} />;
}

function FieldList(props: {
  fields: readonly Field[];
  value: Value;
  onChange: (value: Value) => void;
  context: Context;
}) {
  const { fields, value, onChange, context } = props;
  const draw = (field: Field) => (
    <FormField
      key={field.pointer}
      field={field}
      value={value[field.key]}
      context={context}
      onChange={(next) => onChange({ ...value, [field.key]: next })}
    />
  );
  const advanced = fields.filter((field) => field.advanced);
  const opened = advanced.some((field) => context.problems?.[field.pointer]);
  return (
    <div className="form-fields">
      {fields.filter((field) => !field.advanced).map(draw)}
      {advanced.length > 0 && (
        <details className="form-advanced" open={opened || undefined}>
          <summary>Advanced: {advanced.map((field) => field.label.toLowerCase()).join(', ')}</summary>
          <div className="form-fields">{advanced.map(draw)}</div>
        </details>
      )}
    </div>
  );
}

/** A form made from a JSON schema: a job kind nobody wrote a page for can still be started. */
export function SchemaForm({ omit = [], value, onChange, ...context }: SchemaFormProps) {
  const fields = fieldsOf(context.schema).filter((field) => !omit.includes(field.key));
  return <FieldList fields={fields} value={value} onChange={onChange} context={context} />;
}
