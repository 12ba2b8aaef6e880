import { useTrace } from '../trace/store';

const PER = { relation: 'relations', type: 'types' } as const;

/** What a layer trains, as its program declares it: one tensor, or a slice for each relation or type. */
export function WeightsList({ id }: { id: string }) {
  const compiled = useTrace((state) => (state.owner === id ? state.compiled : undefined));
  const weights = compiled?.declares?.parameters ?? [];
  if (weights.length === 0) return null;
  return (
    <section>
      <h3>Weights</h3>
      <ul className="weights">
        {weights.map(({ name, shape, per }) => {
          const slices = per && compiled?.relations?.[PER[per]];
          return (
            <li key={name}>
              <code>{name}</code>
              <code className="text-3 ellipsis">[{shape}]</code>
              <span className="chip">
                {slices
                  ? `× ${slices.toLocaleString('en')} ${slices === 1 ? per : PER[per as keyof typeof PER]}`
                  : 'shared'}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
