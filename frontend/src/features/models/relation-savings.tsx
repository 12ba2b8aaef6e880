import { count, plural, words } from '@/ui/format';
import type { Compilation } from './api';

type Savings = NonNullable<Compilation['relations']>;

/** A program over relations before and after: launches of a loop over them, stitched into one graph, and fused. */
export function RelationSavings({ savings }: { savings: Savings }) {
  const { relations, types, looped, stitched, fused } = savings;
  const bundled = Object.entries(savings.bundled).map(([op, times]) => `${count(times)} ${words(op)}`);
  return (
    <section className="relation-savings" aria-label="What stitching saves">
      <dl>
        <Step
          title="Loop over relations"
          value={looped}
          note={`${plural(relations, 'relation')}, ${plural(types, 'type')}`}
        />
        <Step
          title="Stitched"
          value={stitched}
          note={`once each: ${savings.by_relation.map(words).join(', ')}`}
        />
        <Step title="Fused" value={fused} note="a run, whatever the number of relations" />
      </dl>
      {bundled.length > 0 && (
        <p className="caption">Bundled over all relations or types: {bundled.join(', ')}</p>
      )}
    </section>
  );
}

function Step({ title, value, note }: { title: string; value: number; note: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {count(value)} {value === 1 ? 'launch' : 'launches'}
        <span className="caption">{note}</span>
      </dd>
    </div>
  );
}
