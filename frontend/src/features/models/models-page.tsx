import './models.css';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconVectorTriangle from '@tabler/icons-react/icons/IconVectorTriangle';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { plural } from '@/ui/format';
import { SearchBox } from '@/ui/search-box';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { TableScroll } from '@/ui/table-scroll';
import { type ModelItem, modelsQuery } from './api';
import { browserDrafts } from './local-drafts';
import { ModelRow } from './model-row';
import { NewModelDialog } from './new-model-dialog';
import { modelsPage } from './route';

function tableOf(models: readonly ModelItem[]): TableData {
  return {
    head: ['id', 'name', 'newest_version', 'draft_differs', 'layers', 'template', 'updated_at'],
    rows: models.map((m) => [
      ...[m.id, m.name, m.newest_version, String(m.draft_differs)],
      ...[m.nodes, m.template, m.updated_at],
    ]),
  };
}

export default function ModelsPage() {
  const search = modelsPage.useSearch();
  const navigate = useNavigate();
  const card = useRef<HTMLElement>(null);
  const models = useQuery(modelsQuery(search.q));
  const unsaved = useQuery({
    queryKey: ['models', 'kept here'],
    queryFn: () => browserDrafts.models(),
    staleTime: 0,
  });
  const set = (next: { q?: string; new?: string }) =>
    void navigate({ to: '/models', search: { ...search, ...next }, replace: true });
  const create = (
    <button type="button" className="btn primary" onClick={() => set({ new: '1' })}>
      <IconPlus size={15} stroke={2} />
      New model
    </button>
  );
  return (
    <div className="page">
      <div className="page-title">
        <h1>Models</h1>
        <div className="row">
          <SearchBox value={search.q} label="Search models by name" onChange={(q) => set({ q })} />
          {create}
        </div>
      </div>
      {models.error && <ErrorState error={models.error} retry={() => void models.refetch()} />}
      {models.isPending && <Loading rows={6} />}
      {models.data?.items.length === 0 && !search.q && (
        <Empty
          icon={IconVectorTriangle}
          title="No models yet"
          action={
            <>
              {create}
              <Link className="btn" to="/templates">
                See the templates
              </Link>
            </>
          }
        >
          A model is a stack of layers that ends in class scores. Start from a template such as GAT, or draw
          your own.
        </Empty>
      )}
      {models.data?.items.length === 0 && search.q && (
        <Empty title={`No model by “${search.q}”`}>Part of the name is enough.</Empty>
      )}
      {models.data && models.data.items.length > 0 && (
        <section className="card clip" ref={card}>
          <div className="card-head">
            <span className="caption">{plural(models.data.items.length, 'model')}</span>
            <span className="push">
              <ExportMenu title="Models" target={card} table={() => tableOf(models.data.items)} />
            </span>
          </div>
          <TableScroll label="Table of models">
            <table className="table models-table">
              <thead>
                <tr>
                  <th>
                    <span className="visually-hidden">Drawing</span>
                  </th>
                  <th>Name</th>
                  <th>Version</th>
                  <th className="desk-only">Layers</th>
                  <th className="desk-only">Template</th>
                  <th className="num">Changed</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {models.data.items.map((model) => (
                  <ModelRow key={model.id} model={model} unsaved={unsaved.data?.has(model.id) ?? false} />
                ))}
              </tbody>
            </table>
          </TableScroll>
        </section>
      )}
      <NewModelDialog opened={search.new !== undefined} onClose={() => set({ new: undefined })} />
    </div>
  );
}
