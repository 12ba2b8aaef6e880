import { useEffect, useId, useState } from 'react';
import type { ParamSchema } from '../model/catalog';
import type { Scalar } from '../model/document';
import { paramLabel } from './param-text';

interface FieldProps {
  name: string;
  schema: ParamSchema;
  value: Scalar | undefined;
  error: string | undefined;
  readOnly: boolean;
  onChange: (value: Scalar) => void;
  onLeave: () => void;
}

/** One setting of a layer, drawn from its JSON schema. */
export function ParamField(props: FieldProps) {
  const { name, schema, value, error, readOnly, onChange } = props;
  const id = useId();
  const shown = value ?? (schema.default as Scalar | undefined);
  const described = `${id}-hint`;
  const common = {
    id,
    disabled: readOnly,
    'aria-describedby': described,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div className="param" data-error={error ? true : undefined}>
      <label htmlFor={id} title={schema.description}>
        {paramLabel(name, schema)}
      </label>
      {schema.enum ? (
        <select
          className="field-look"
          value={String(shown ?? '')}
          onChange={(event) => onChange(event.target.value)}
          {...common}
        >
          {schema.enum.map((choice) => (
            <option key={String(choice)}>{String(choice)}</option>
          ))}
        </select>
      ) : schema.type === 'boolean' ? (
        <input
          type="checkbox"
          className="switch"
          checked={shown === true}
          onChange={(event) => onChange(event.target.checked)}
          {...common}
        />
      ) : (
        <TextField {...props} shown={shown} common={common} />
      )}
      <p id={described} className="param-hint">
        {error ?? hint(schema, shown)}
      </p>
    </div>
  );
}

/** Keeps its own text while typing, so a half-written number stays as typed; sends only what is a value. */
function TextField({
  schema,
  shown,
  common,
  onChange,
  onLeave,
}: FieldProps & { shown: Scalar | undefined; common: Record<string, unknown> }) {
  const [text, setText] = useState(String(shown ?? ''));
  const numeric = schema.type === 'integer' || schema.type === 'number';
  useEffect(() => {
    setText((before) =>
      numeric && Number(before) === shown && before.trim() !== '' ? before : String(shown ?? ''),
    );
  }, [shown, numeric]);
  return (
    <input
      className="field-look mono"
      type="text"
      inputMode={numeric ? 'decimal' : 'text'}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const value = numeric ? numberIn(event.target.value) : event.target.value;
        if (value !== null) onChange(value);
      }}
      onBlur={() => {
        setText(String(shown ?? ''));
        onLeave();
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (schema.type !== 'integer' || by === undefined || typeof shown !== 'number') return;
        event.preventDefault();
        onChange(within(schema, shown + by));
      }}
      {...common}
    />
  );
}

function numberIn(text: string): number | null {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

function within(schema: ParamSchema, value: number): number {
  return Math.min(schema.maximum ?? value, Math.max(schema.minimum ?? value, value));
}

function hint(schema: ParamSchema, shown: Scalar | undefined): string {
  return shown === 0 && schema['x-zero'] ? `0: ${String(schema['x-zero'])}` : '';
}
