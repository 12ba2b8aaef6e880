import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { templatesQuery } from '@/api/catalog';
import { useOpenTemplate } from '@/api/open-template';
import type { Template } from '@/api/types';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { count } from '@/ui/format';
import { ErrorState } from '@/ui/states';

function facts({ dataset_title, dataset, vertices }: Template): string {
  const name = dataset_title ?? dataset;
  return vertices === null ? name : `${name} · ${count(vertices)} vertices`;
}

function OpenButton({ template }: { template: Template }) {
  const open = useOpenTemplate(template);
  return (
    <button
      type="button"
      className="btn small ghost"
      aria-label={`Open ${template.title} on the canvas`}
      disabled={open.isPending}
      onClick={() => open.mutate()}
    >
      Open
    </button>
  );
}

function TemplateCard({ template, first }: { template: Template; first: boolean }) {
  const catalog = useCatalog();
  return (
    <article className="card clip template-card">
      <div className="template-sketch">
        <ModelThumbnail
          doc={docFrom(template.doc)}
          catalog={catalog}
          label={`The layers of ${template.title}`}
        />
      </div>
      <div className="template-words">
        <h3>{template.title}</h3>
        <p className="text-2 template-says" title={template.description}>
          {template.description}
        </p>
        <p className="caption ellipsis" title={facts(template)}>
          {facts(template)}
        </p>
        <div className="row">
          <Link
            className={first ? 'btn small primary' : 'btn small tonal'}
            to="/jobs/new"
            search={{ kind: template.kind, template: template.name }}
            aria-label={`Train now: ${template.title}`}
          >
            <IconPlayerPlay size={14} />
            Train now
          </Link>
          <OpenButton template={template} />
        </div>
      </div>
    </article>
  );
}

const PLACES = ['a', 'b', 'c', 'd'];

/** The first templates, to train at once; the gallery has all of them. */
export function TemplateCards() {
  const query = useQuery(templatesQuery);
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <section className="stack" aria-labelledby="start-here">
      <div className="row between">
        <h2 id="start-here">Start from a template</h2>
        <Link to="/templates">All templates</Link>
      </div>
      <div className="template-cards" aria-busy={query.isPending}>
        {query.isPending &&
          PLACES.map((place) => <div key={place} className="card skeleton template-place" />)}
        {query.data?.slice(0, PLACES.length).map((template, i) => (
          <TemplateCard key={template.name} template={template} first={i === 0} />
        ))}
      </div>
    </section>
  );
}
