import type { Field } from './fields';

export interface WidgetProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** What every widget says about its field. */
export function common({ field, error }: WidgetProps) {
  return { label: field.label, description: field.help || undefined, error, required: field.required };
}
