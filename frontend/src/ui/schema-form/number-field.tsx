import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { type NumberKind, numberIn, shownNumber, typed } from './number-text';
import { common, type WidgetProps } from './widget';

/** A number. While one types it stays as typed; the placeholder is the default, and the arrows step whole numbers. */
export function NumberField(props: WidgetProps) {
  const { schema, fallback, nullable, unit } = props.field;
  const kind = props.field.kind as NumberKind;
  const [text, setText] = useState<string | null>(null);
  const value = typeof props.value === 'number' ? props.value : null;
  const change = (next: string) => {
    setText(next);
    const read = numberIn(next, kind);
    if (read !== undefined) props.onChange(read ?? (nullable ? null : undefined));
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || kind !== 'integer') return;
    event.preventDefault();
    const next = (value ?? (typeof fallback === 'number' ? fallback : 0)) + by;
    const low = schema.minimum ?? Number.NEGATIVE_INFINITY;
    change(String(Math.min(schema.maximum ?? next, Math.max(low, next))));
  };
  return (
    <TextInput
      {...common(props)}
      inputMode={kind === 'integer' ? 'numeric' : 'decimal'}
      value={text ?? (value === null ? '' : shownNumber(value, kind))}
      placeholder={typeof fallback === 'number' ? shownNumber(fallback, kind) : undefined}
      rightSection={unit ? <span className="caption">{unit}</span> : undefined}
      onChange={(event) => change(typed(event.currentTarget.value, kind))}
      onKeyDown={step}
      onBlur={() => setText(null)}
    />
  );
}
