import './templates.css';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { templatesQuery } from '@/api/catalog';
import { createFrom, useOpenTemplate } from '@/api/open-template';
import type { Template } from '@/api/types';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import type { Command } from '@/ui/commands/command';
import { useCommands } from '@/ui/commands/registry';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { count, seconds } from '@/ui/format';
import { SearchBox } from '@/ui/search-box';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { findTemplates, tagsOf, taskLabel, taskOf } from './find-templates';
import { templatesPage } from './route';

/** `/` goes to the search, as in the editor. */
const COMMANDS: readonly Command[] = [
  {
    title: 'Search the templates',
    group: 'Templates',
    keys: ['/'],
    run: () => document.querySelector<HTMLElement>('.templates-tools input')?.focus(),
  },
];

/** Every template, drawn in the canvas' grammar, with what it learns on and where it comes from. */
export default function TemplatesPage() {
  const templates = useQuery(templatesQuery);
  const catalog = useCatalog();
  const { q, task } = templatesPage.useSearch();
  const navigate = useNavigate();
  useCommands(COMMANDS);
  const set = (next: { q?: string | undefined; task?: string | undefined }) =>
    void navigate({ to: '/templates', search: { q, task, ...next }, replace: true });
  const all = templates.data ?? [];
  const found = useMemo(() => findTemplates(all, catalog, q ?? '', task), [all, catalog, q, task]);
  const tasks = [...new Set(all.map(taskOf))];
  return (
    <div className="page">
      <div className="page-title">
        <h1>Templates</h1>
        <p className="text-2">Models to start from, with the settings their papers report.</p>
        <div className="row wrap templates-tools">
          <fieldset className="segments" aria-label="What it learns">
            {[undefined, ...tasks].map((one) => (
              <button
                key={one ?? 'all'}
                type="button"
                aria-pressed={task === one}
                onClick={() => set({ task: one })}
              >
                {one === undefined ? 'All' : taskLabel(one)}
              </button>
            ))}
          </fieldset>
          <SearchBox
            value={q}
            label="Search templates by name, layer, task or paper"
            onChange={(text) => set({ q: text })}
          />
        </div>
      </div>
      {templates.isPending && <Loading rows={6} />}
      {templates.error && <ErrorState error={templates.error} retry={() => void templates.refetch()} />}
      {templates.data && found.length === 0 && (
        <Empty title="No template like that">
          A layer, a task or an author is enough, such as “attention”, “links” or “Kipf”.
        </Empty>
      )}
      <ul className="templates" aria-label="Templates">
        {found.map((template, i) => (
          <TemplateCard key={template.name} template={template} first={i === 0} />
        ))}
      </ul>
    </div>
  );
}

function TemplateCard({ template, first }: { template: Template; first: boolean }) {
  const catalog = useCatalog();
  const doc = docFrom(template.doc);
  return (
    <li className="card clip">
      <div className="template-drawing">
        <ModelThumbnail doc={doc} catalog={catalog} label={`The layers of ${template.title}`} />
      </div>
      <div className="template-text">
        <h2>{template.title}</h2>
        <p>{template.description}</p>
        <p className="row wrap">
          {[taskLabel(taskOf(template)), ...tagsOf(template, catalog)].map((tag) => (
            <span key={tag} className="chip">
              {tag}
            </span>
          ))}
        </p>
        <dl className="facts">
          <dt>Layers</dt>
          <dd>{doc.nodes.length}</dd>
          <dt>Tried on</dt>
          <dd>
            {template.dataset_title ?? template.dataset}
            {template.vertices !== null && `, ${count(template.vertices)} vertices`}
          </dd>
          <dt>Parameters</dt>
          <dd>{template.parameters === null ? 'depends on the dataset' : count(template.parameters)}</dd>
          <dt>All epochs here</dt>
          <dd>
            {template.train_s === null ? 'once its dataset is there' : `about ${seconds(template.train_s)}`}
          </dd>
        </dl>
        <p className="caption">{template.paper}</p>
      </div>
      <div className="template-actions">
        <Link
          className={first ? 'btn primary' : 'btn tonal'}
          to="/jobs/new"
          search={{
            kind: template.kind,
            template: template.name,
            ...(template.dataset_id ? { dataset: template.dataset_id } : {}),
          }}
          aria-label={`Train now: ${template.title}`}
        >
          <IconPlayerPlay size={14} />
          Train now
        </Link>
        <OpenButton template={template} />
      </div>
    </li>
  );
}

function OpenButton({ template }: { template: Template }) {
  const open = useOpenTemplate(template);
  return (
    <>
      <button
        type="button"
        className="btn ghost"
        aria-label={`Open on the canvas: ${template.title}`}
        disabled={open.isPending}
        onClick={() => open.mutate()}
      >
        Open on the canvas
      </button>
      <CopyAs what={`Create ${template.title}`} call={() => createFrom(template)} />
      {open.error && (
        <span className="text-err" role="alert">
          {open.error.message}
        </span>
      )}
    </>
  );
}
