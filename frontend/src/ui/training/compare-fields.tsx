import { Checkbox } from '@mantine/core';
import type { ModelDoc } from '@/api/types';
import type { JsonSchema } from '@/ui/schema-form/fields';
import { type Counterparts, lacking, SYSTEMS } from './compare-model';

const CHOICES = [
  {
    value: 'passes_off',
    label: 'Every pass off',
    description: 'The same model without what the compiler does for it.',
  },
  { value: 'dgl', label: 'DGL', description: 'The same model in DGL’s layers, where it is installed.' },
  { value: 'pyg', label: 'PyG', description: 'The same model in PyG’s layers, where it is installed.' },
] as const;

type Peer = (typeof CHOICES)[number]['value'];

function counterparts(schema: JsonSchema): Counterparts {
  const field = schema.properties?.compare as { 'x-counterparts'?: Counterparts } | undefined;
  return field?.['x-counterparts'] ?? {};
}

/** Which other systems train the same model afterwards; says before the start what one of them has no layer for. */
export function CompareFields(props: {
  schema: JsonSchema;
  value: readonly string[];
  onChange: (value: string[]) => void;
  doc: ModelDoc | undefined;
  directed: boolean;
  /** Only vertex classification on the whole graph can be compared. */
  possible: boolean;
  error?: string;
}) {
  const { schema, value, doc, directed, possible } = props;
  const missing = (peer: Peer) => lacking(counterparts(schema), peer, doc?.nodes ?? [], directed);
  return (
    <fieldset className="train-section bare" disabled={!possible}>
      <h2>Compare with</h2>
      <p className="caption">
        {possible
          ? 'Trains the same model again, from the same weights and in a process of its own, and shows convergence, throughput and memory side by side.'
          : 'Only vertex classification on the whole graph is compared with other systems.'}
      </p>
      <Checkbox.Group value={possible ? [...value] : []} onChange={props.onChange} error={props.error}>
        <div className="compare-choices">
          {CHOICES.map((choice) => {
            const lacks = missing(choice.value);
            const ticked = possible && value.includes(choice.value);
            return (
              <Checkbox
                key={choice.value}
                value={choice.value}
                label={choice.label}
                description={choice.description}
                error={
                  ticked && lacks.length > 0
                    ? `${SYSTEMS[choice.value].label} has no counterpart of ${lacks.join(', ')}: it will be left out.`
                    : undefined
                }
              />
            );
          })}
        </div>
      </Checkbox.Group>
    </fieldset>
  );
}
