import { JsonInput, MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { words } from '@/ui/format';
import type { Field } from './fields';

export interface WidgetProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** What every widget says about its field. The placeholder is the default, so it is never typed again here. */
function common({ field, error }: WidgetProps) {
  return { label: field.label, description: field.help || undefined, error, required: field.required };
}

function Text(props: WidgetProps) {
  return (
    <TextInput
      {...common(props)}
      value={String(props.value ?? '')}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

function NumberField(props: WidgetProps) {
  const { schema, kind, fallback } = props.field;
  const value = typeof props.value === 'number' ? props.value : '';
  return (
    <NumberInput
      {...common(props)}
      value={value}
      allowDecimal={kind === 'number'}
      allowNegative={(schema.minimum ?? schema.exclusiveMinimum ?? -1) < 0}
      decimalScale={12}
      hideControls={kind === 'number'}
      placeholder={fallback === undefined || fallback === null ? undefined : String(fallback)}
      suffix={props.field.unit ? ` ${props.field.unit}` : undefined}
      thousandSeparator={kind === 'integer' ? ',' : undefined}
      onChange={(next) =>
        props.onChange(next === '' ? (props.field.nullable ? null : undefined) : Number(next))
      }
    />
  );
}

function Flag(props: WidgetProps) {
  return (
    <Switch
      {...common(props)}
      required={false}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

function Choice(props: WidgetProps) {
  const data = props.field.choices.map((choice) => ({
    value: JSON.stringify(choice),
    label: words(String(choice)),
  }));
  return (
    <Select
      {...common(props)}
      data={data}
      value={props.value === undefined ? null : JSON.stringify(props.value)}
      allowDeselect={false}
      clearable={props.field.nullable}
      onChange={(next) => props.onChange(next === null ? null : JSON.parse(next))}
    />
  );
}

function List(props: WidgetProps) {
  const values = Array.isArray(props.value) ? props.value.map(String) : [];
  const { items } = props.field.schema;
  if (items?.enum) {
    const data = items.enum.map((item) => ({ value: String(item), label: words(String(item)) }));
    return (
      <MultiSelect
        {...common(props)}
        data={data}
        value={values}
        onChange={props.onChange}
        clearable
        searchable
      />
    );
  }
  const numeric = /integer|number/.test(String(items?.type));
  return (
    <TagsInput
      {...common(props)}
      value={values}
      onChange={(next) => props.onChange(numeric ? next.map(Number).filter(Number.isFinite) : next)}
    />
  );
}

function RawJson(props: WidgetProps) {
  const [text, setText] = useState(() =>
    props.value === undefined ? '' : JSON.stringify(props.value, null, 2),
  );
  const change = (next: string) => {
    setText(next);
    try {
      props.onChange(next.trim() === '' ? undefined : JSON.parse(next));
    } catch {
      props.onChange(next);
    }
  };
  return <JsonInput {...common(props)} value={text} onChange={change} autosize minRows={3} maxRows={16} />;
}

export const WIDGETS: Record<string, ComponentType<WidgetProps>> = {
  text: Text,
  integer: NumberField,
  number: NumberField,
  boolean: Flag,
  choice: Choice,
  list: List,
  json: RawJson,
  resource: Text,
};
