import { Select } from '@mantine/core';
import {
  defaultsOf,
  type JsonSchema,
  resolve,
  type Value,
  variantName,
  variantsOf,
} from '@/ui/schema-form/fields';
import { SchemaForm } from '@/ui/schema-form/schema-form';
import { GOALS, lookOf } from './goals';
import type { Goal } from './types';

/** The schema of one task, with the definitions it refers to. */
export function taskSchema(spec: JsonSchema, goal: Goal): JsonSchema {
  const union = resolve(spec.properties?.task ?? {}, spec);
  const variant = variantsOf(union, spec).find((one) => variantName(one) === goal) ?? {};
  return { ...variant, $defs: spec.$defs };
}

/** What jobs of this kind may learn: a kind of one task has no union of them. */
function tasksOf(spec: JsonSchema, goal: Goal): Goal[] {
  const names = variantsOf(resolve(spec.properties?.task ?? {}, spec), spec).map(variantName);
  return names.length > 0 ? GOALS.filter((one) => names.includes(one)) : [goal];
}

/** A task with its defaults filled in. */
export function taskOf(spec: JsonSchema, goal: Goal, chosen: Value): Value {
  return { ...defaultsOf(taskSchema(spec, goal)), ...chosen, type: goal };
}

/** Which task, and its settings. */
export function TaskFields(props: {
  schema: JsonSchema;
  value: Value;
  onChange: (task: Value) => void;
  problems: Record<string, string>;
}) {
  const { schema, value, onChange, problems } = props;
  const goal = value.type as Goal;
  const variant = taskSchema(schema, goal);
  return (
    <div className="train-section">
      <h2>Task</h2>
      <div className="form-fields">
        <Select
          label="Learn"
          description={variant.description}
          data={tasksOf(schema, goal).map((one) => ({ value: one, label: lookOf(one).title }))}
          value={goal}
          onChange={(next) => next && onChange({ type: next })}
          error={problems['']}
          allowDeselect={false}
        />
      </div>
      <SchemaForm schema={variant} value={value} onChange={onChange} problems={problems} omit={['type']} />
    </div>
  );
}
