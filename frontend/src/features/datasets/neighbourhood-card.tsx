import IconDice from '@tabler/icons-react/icons/IconDice5';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { count } from '@/ui/format';
import { ErrorState, Loading } from '@/ui/states';
import { type DatasetDetail, type Neighbourhood, neighbourhoodQuery } from './api';
import { classColour } from './class-colour';
import { NeighbourhoodDrawing } from './neighbourhood-drawing';
import { datasetPage } from './route';
import { TypeMark } from './type-mark';

/** A small piece of the graph around one vertex. What is looked at is in the address, so it can be shared. */
export function NeighbourhoodCard({ dataset, suggested }: { dataset: DatasetDetail; suggested: number }) {
  const search = datasetPage.useSearch();
  const navigate = useNavigate();
  const look = {
    vertex: search.vertex === undefined ? null : Number(search.vertex),
    hops: Number(search.hops ?? 2),
    seed: Number(search.seed ?? 0),
  };
  const { data, error } = useQuery(neighbourhoodQuery(dataset.id, look));
  const set = (next: Partial<Record<'vertex' | 'hops' | 'seed', string>>) =>
    void navigate({ to: '.', search: { ...search, ...next }, replace: true, resetScroll: false });
  const middle = data?.vertex ?? suggested;
  return (
    <section className="card" aria-label="Neighbourhood">
      <div className="card-head wrap">
        <h2>Neighbourhood</h2>
        <span className="push">
          <VertexField
            key={middle}
            vertex={middle}
            last={(dataset.info?.vertices ?? 1) - 1}
            onChange={(vertex) => set({ vertex: String(vertex) })}
          />
          <fieldset className="segments" aria-label="Hops">
            {['1', '2', '3'].map((hops) => (
              <button
                key={hops}
                type="button"
                aria-pressed={String(look.hops) === hops}
                onClick={() => set({ hops })}
              >
                {hops} hop{hops === '1' ? '' : 's'}
              </button>
            ))}
          </fieldset>
          <button type="button" className="btn small" onClick={() => set({ seed: String(look.seed + 1) })}>
            <IconDice size={15} stroke={1.75} />
            Sample again
          </button>
        </span>
      </div>
      {error ? (
        <ErrorState error={error} />
      ) : data ? (
        <Drawn
          data={data}
          types={dataset.info?.heterogeneous?.types}
          onPick={(vertex) => set({ vertex: String(vertex) })}
        />
      ) : (
        <Loading rows={6} />
      )}
    </section>
  );
}

function Drawn({
  data,
  types,
  onPick,
}: {
  data: Neighbourhood;
  types: readonly { name: string }[] | undefined;
  onPick: (vertex: number) => void;
}) {
  const classes = useMemo(() => legend(data), [data]);
  return (
    <div className="card-body">
      <NeighbourhoodDrawing drawing={data} types={types} onPick={onPick} />
      <p className="caption">
        {data.vertices.length} vertices, {data.edges.length} edges
        {data.left_out > 0 && `, ${count(data.left_out)} neighbours left out to stay readable`}. A vertex is
        as large as its degree; choose one to put it in the middle.
      </p>
      {types && <TypeLegend data={data} types={types} />}
      {!types && classes.length > 0 && (
        <ul className="fact-line start wrap">
          {classes.map(({ label, index, vertices }) => (
            <li
              key={label}
              className="swatch"
              style={{ '--swatch': classColour(index) } as React.CSSProperties}
            >
              {label} <b className="mono">{vertices}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function TypeLegend({ data, types }: { data: Neighbourhood; types: readonly { name: string }[] }) {
  const counts = new Map<number, number>();
  for (const { type_index } of data.vertices)
    if (type_index !== null) counts.set(type_index, (counts.get(type_index) ?? 0) + 1);
  return (
    <ul className="fact-line start wrap">
      {[...counts].map(([type, vertices]) => (
        <li key={type}>
          <TypeMark type={type} /> {types[type]?.name} <b className="mono">{vertices}</b>
        </li>
      ))}
    </ul>
  );
}

function legend(data: Neighbourhood) {
  const found = new Map<string, { label: string; index: number | null; vertices: number }>();
  for (const vertex of data.vertices) {
    const label = vertex.label ?? 'no label';
    const entry = found.get(label) ?? { label, index: vertex.class_index, vertices: 0 };
    found.set(label, { ...entry, vertices: entry.vertices + 1 });
  }
  return data.vertices.every((vertex) => vertex.label === null)
    ? []
    : [...found.values()].sort((a, b) => b.vertices - a.vertices).slice(0, 10);
}

function VertexField({
  vertex,
  last,
  onChange,
}: {
  vertex: number;
  last: number;
  onChange: (vertex: number) => void;
}) {
  const [text, setText] = useState(String(vertex));
  const done = () => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 0 && value <= last && value !== vertex) onChange(value);
    else setText(String(vertex));
  };
  return (
    <label className="vertex-field caption">
      vertex
      <input
        className="field-look mono"
        inputMode="numeric"
        value={text}
        title={`0 to ${last}`}
        onChange={(event) => setText(event.target.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === 'Enter') done();
        }}
      />
    </label>
  );
}
