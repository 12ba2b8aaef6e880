import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { csv, download, fileName } from '@/ui/download';
import { count, number, plural, shortName } from '@/ui/format';
import { SearchBox } from '@/ui/search-box';
import { ErrorState, Loading } from '@/ui/states';
import { type DatasetDetail, type GraphSchema, schemaQuery } from './api';
import { SchemaDrawing } from './schema-drawing';
import { TypeMark } from './type-mark';

/** What a heterogeneous graph is made of: a drawing, and beside it every relation, searched by name. */
export function SchemaCard({ dataset }: { dataset: DatasetDetail }) {
  const { data, error } = useQuery(schemaQuery(dataset.id));
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [text, setText] = useState<string>();
  if (error) return <ErrorState error={error} />;
  if (!data) return <Loading rows={8} label="Reading the schema" />;
  const names = new Set(chosen.map((type) => data.types[type]?.name));
  const found = data.relations.filter(
    (relation) =>
      (names.size === 0 || names.has(relation.source) || names.has(relation.target)) &&
      (!text ||
        `${relation.source} ${relation.name} ${relation.target}`.toLowerCase().includes(text.toLowerCase())),
  );
  return (
    <section className="card clip" aria-label="Schema">
      <div className="card-head wrap">
        <h2>Schema</h2>
        <span className="caption">
          {plural(data.types.length, 'type')}, {plural(data.relations.length, 'relation')}
        </span>
        <span className="push row schema-tools">
          <SearchBox value={text} label="Search relations" onChange={setText} />
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-label="Relations: export CSV"
            title="Export CSV"
            onClick={() => download(`${fileName(dataset.name)}-relations.csv`, relationsCsv(data))}
          >
            <IconDownload size={14} stroke={1.75} />
          </button>
        </span>
      </div>
      <div className="schema-parts">
        <SchemaDrawing schema={data} chosen={chosen} onChoose={setChosen} />
        <div className="schema-lists">
          <TypeTable schema={data} />
          <RelationTable schema={data} found={found} />
        </div>
      </div>
    </section>
  );
}

function TypeTable({ schema }: { schema: GraphSchema }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="table-scroll schema-scroll" aria-label="Types" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Type</th>
            <th className="num">Vertices</th>
            <th className="num">Features</th>
            <th className="num">Labelled</th>
            <th className="num">Isolated</th>
          </tr>
        </thead>
        <tbody>
          {schema.types.map((type, t) => (
            <tr key={type.name}>
              <td className="nowrap">
                <TypeMark type={t} /> {type.name}
              </td>
              <td className="num">{count(type.vertices)}</td>
              <td className="num">{type.features ? count(type.features) : 'embedded'}</td>
              <td className="num">{count(type.labelled)}</td>
              <td className="num">{count(type.isolated)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RelationTable({ schema, found }: { schema: GraphSchema; found: GraphSchema['relations'] }) {
  const number_ = new Map(schema.types.map((type, t) => [type.name, t]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="table-scroll schema-scroll tall" aria-label="Relations" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Relation</th>
            <th>From, to</th>
            <th className="num">Edges</th>
            <th className="num" title="Edges that leave a vertex, mean">
              Out
            </th>
            <th className="num" title="Edges that arrive at a vertex, most">
              In, most
            </th>
          </tr>
        </thead>
        <tbody>
          {found.map((relation) => (
            <tr
              key={`${relation.source} ${relation.name} ${relation.target}`}
              data-relation={relation.name}
              data-inverse={relation.inverse_of !== null || undefined}
            >
              <td title={relation.name}>{shortName(relation.name)}</td>
              <td className="nowrap">
                <TypeMark type={number_.get(relation.source) ?? 0} /> {relation.source} →{' '}
                <TypeMark type={number_.get(relation.target) ?? 0} /> {relation.target}
              </td>
              <td className="num">{count(relation.edges)}</td>
              <td className="num">{number(relation.sends.mean, 3)}</td>
              <td className="num">{count(relation.receives.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p className="caption card-body">No relation matches.</p>}
    </section>
  );
}

function relationsCsv(schema: GraphSchema): string {
  return csv(
    ['source', 'relation', 'target', 'edges', 'out_mean', 'out_max', 'in_mean', 'in_max', 'backwards'],
    schema.relations.map((r) => [
      r.source,
      r.name,
      r.target,
      r.edges,
      r.sends.mean,
      r.sends.max,
      r.receives.mean,
      r.receives.max,
      r.inverse_of === null ? 'no' : 'yes',
    ]),
  );
}
