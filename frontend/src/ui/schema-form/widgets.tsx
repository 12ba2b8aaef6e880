import { JsonInput, MultiSelect, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { words } from '@/ui/format';
import { NumberField } from './number-field';
import { common, type WidgetProps } from './widget';

function Text(props: WidgetProps) {
  return (
    <TextInput
      {...common(props)}
      value={String(props.value ?? '')}
      onChange={(event) => props.onChange(event.currentTarget.value)}
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
