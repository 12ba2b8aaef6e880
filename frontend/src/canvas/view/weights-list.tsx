import { plural } from '@/ui/format';
import { useTrace } from '../trace/store';

const PER = { relation: 'relations', type: 'types' } as const;

/** What a layer trains, as its program declares it: one tensor, or a slice for each relation or type. */
export function WeightsList({ id }: { id?: string }) {
  const compiled = useTrace((state) => (id === undefined || state.owner === id ? state.compiled : undefined));
  const weights = compiled?.declares?.parameters ?? [];
  if (weights.length === 0) return null;
  return (
    <section>
      <h3>Weights</h3>
      <ul className="weights">
        {weights.map(({ name, shape, per }) => (
          <li key={name}>
            <code>{name}</code>
            <code className="text-3 ellipsis">[{shape.replace(/^(relations|types)(, )?/, '')}]</code>
            <span className="chip">
              {per && compiled?.relations ? `× ${plural(compiled.relations[PER[per]], per)}` : 'shared'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
