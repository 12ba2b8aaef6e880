import './templates.css';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { templatesQuery } from '@/api/catalog';
import { useOpenTemplate } from '@/api/open-template';
import type { Template } from '@/api/types';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { count } from '@/ui/format';
import { ErrorState, Loading } from '@/ui/states';

/** Every template, drawn in the canvas' grammar, with what it learns on and where it comes from. */
export default function TemplatesPage() {
  const templates = useQuery(templatesQuery);
  return (
    <div className="page">
      <div className="page-title">
        <h1>Templates</h1>
        <p className="text-2">Models to start from, with the settings their papers report.</p>
      </div>
      {templates.isPending && <Loading rows={6} />}
      {templates.error && <ErrorState error={templates.error} retry={() => void templates.refetch()} />}
      <ul className="templates">
        {templates.data?.map((template, i) => (
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
        </dl>
        <p className="caption">{template.paper}</p>
      </div>
      <div className="template-actions">
        <Link
          className={first ? 'btn primary' : 'btn tonal'}
          to="/jobs/new"
          search={{
            kind: 'seastar',
            template: template.name,
            ...(template.dataset_id ? { dataset: template.dataset_id } : {}),
          }}
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
      <button type="button" className="btn ghost" disabled={open.isPending} onClick={() => open.mutate()}>
        Open on the canvas
      </button>
      {open.error && (
        <span className="text-err" role="alert">
          {open.error.message}
        </span>
      )}
    </>
  );
}
