import './datasets.css';
import IconDatabase from '@tabler/icons-react/icons/IconDatabase';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { age, count, plural } from '@/ui/format';
import { SearchBox } from '@/ui/search-box';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { TableScroll } from '@/ui/table-scroll';
import { type DatasetItem, datasetsQuery } from './api';
import { DatasetStatus } from './dataset-status';
import { datasetsPage } from './route';

const EXPORTED: Record<string, (item: DatasetItem) => string | number | null | undefined> = {
  id: (item) => item.id,
  name: (item) => item.name,
  state: (item) => item.state,
  from: (item) => item.source_type,
  vertices: ({ info }) => info?.vertices,
  arcs: ({ info }) => info?.arcs,
  features: ({ info }) => info?.features,
  classes: ({ info }) => info?.classes.length,
  train: ({ info }) => info?.train,
  val: ({ info }) => info?.val,
  test: ({ info }) => info?.test,
  created_at: (item) => item.created_at,
};

function tableOf(items: readonly DatasetItem[]): TableData {
  const columns = Object.values(EXPORTED);
  return { head: Object.keys(EXPORTED), rows: items.map((item) => columns.map((column) => column(item))) };
}

export default function DatasetsPage() {
  const { q } = datasetsPage.useSearch();
  const navigate = useNavigate();
  const datasets = useQuery(datasetsQuery(q));
  const create = (
    <Link className="btn primary" to="/datasets/new">
      <IconPlus size={15} stroke={2} />
      New dataset
    </Link>
  );
  const search = (text: string | undefined) =>
    void navigate({ to: '/datasets', search: { q: text }, replace: true });
  return (
    <div className="page">
      <div className="page-title">
        <h1>Datasets</h1>
        <div className="row">
          <SearchBox value={q} label="Search datasets by name" onChange={search} />
          {create}
        </div>
      </div>
      {datasets.error && <ErrorState error={datasets.error} retry={() => void datasets.refetch()} />}
      {datasets.isPending && <Loading rows={6} />}
      {datasets.data?.items.length === 0 &&
        (q ? (
          <Empty title={`No dataset by “${q}”`}>Part of the name is enough.</Empty>
        ) : (
          <Empty icon={IconDatabase} title="No datasets yet" action={create}>
            A dataset is a graph with features and labels to train on. Take a bundled one, make one from a
            seed, or upload your own.
          </Empty>
        ))}
      {datasets.data && datasets.data.items.length > 0 && <DatasetTable items={datasets.data.items} />}
    </div>
  );
}

function DatasetTable({ items }: { items: readonly DatasetItem[] }) {
  const card = useRef<HTMLElement>(null);
  return (
    <section className="card clip" ref={card}>
      <div className="card-head">
        <span className="caption">{plural(items.length, 'dataset')}</span>
        <span className="push">
          <ExportMenu title="Datasets" target={card} table={() => tableOf(items)} />
        </span>
      </div>
      <TableScroll label="Table of datasets">
        <table className="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>State</th>
              <th className="desk-only">Kind</th>
              <th className="desk-only">From</th>
              <th className="num">Vertices</th>
              <th className="num">Arcs</th>
              <th className="num desk-only">Features</th>
              <th className="num desk-only">Classes</th>
              <th className="desk-only">Train / val / test</th>
              <th className="num desk-only">Age</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id} data-dataset={item.id}>
                <td>
                  <Link to="/datasets/$id" params={{ id: item.id }}>
                    <b>{item.name}</b>
                  </Link>
                </td>
                <td>
                  <DatasetStatus dataset={item} />
                </td>
                <td className="desk-only nowrap">
                  {item.info?.heterogeneous
                    ? `${count(item.info.heterogeneous.type_count)} types, ${count(item.info.heterogeneous.relation_count)} relations`
                    : item.info && item.info.graphs > 1
                      ? `${count(item.info.graphs)} graphs`
                      : item.info && 'one graph'}
                </td>
                <td className="text-2 desk-only">{item.source_type}</td>
                <td className="num">{count(item.info?.vertices)}</td>
                <td className="num">{count(item.info?.arcs)}</td>
                <td className="num desk-only">{count(item.info?.features)}</td>
                <td className="num desk-only">{count(item.info?.classes.length)}</td>
                <td className="desk-only">
                  {item.info ? <SplitText info={item.info} /> : <span className="text-3">–</span>}
                </td>
                <td className="num desk-only">{age(item.created_at, Date.now())}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function SplitText({ info }: { info: NonNullable<DatasetItem['info']> }) {
  if (info.train + info.val + info.test === 0) return <span className="text-3">no split</span>;
  return (
    <span className="mono">
      {count(info.train)} / {count(info.val)} / {count(info.test)}
    </span>
  );
}
