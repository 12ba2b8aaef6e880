import { bytes, count, percent, plural } from '@/ui/format';
import type { DatasetDetail, DatasetSummary } from './api';

type Ready = DatasetDetail & { info: NonNullable<DatasetDetail['info']> };

/** The numbers of a dataset, largest first. */
export function FactTiles({ dataset, summary }: { dataset: Ready; summary: DatasetSummary }) {
  const { info } = dataset;
  const tiles: [string, string, string][] = [
    [
      'Vertices',
      count(info.vertices),
      info.graphs > 1 ? `${count(info.graphs)} graphs` : `${count(summary.isolated)} isolated`,
    ],
    [
      'Arcs',
      count(info.arcs),
      summary.undirected_edges === null ? 'directed' : `${count(summary.undirected_edges)} undirected edges`,
    ],
    [
      'Features',
      count(info.features),
      summary.features
        ? `${percent(summary.features.nonzero_ratio)} not zero`
        : info.heterogeneous
          ? 'labelled type has none'
          : 'vertices have none',
    ],
    ['Classes', count(info.classes.length), `${count(summary.labelled)} labelled`],
    info.heterogeneous
      ? ['Relations', count(info.heterogeneous.relation_count), plural(info.heterogeneous.type_count, 'type')]
      : ['Same class', percent(summary.homophily), 'of arcs, both ends'],
    ['On disk', bytes(info.bytes), `SHA-256 ${summary.sha256.slice(0, 4)}…${summary.sha256.slice(-4)}`],
  ];
  return (
    <dl className="card fact-tiles">
      {tiles.map(([name, value, note]) => (
        <div key={name}>
          <dt className="caption">{name}</dt>
          <dd className="big-number">{value}</dd>
          <dd className="caption" title={name === 'On disk' ? summary.sha256 : undefined}>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}
