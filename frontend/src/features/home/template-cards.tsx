import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { templatesQuery } from '@/api/catalog';
import { api, unwrap } from '@/api/client';
import { randomKey } from '@/api/key';
import type { Template } from '@/api/types';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { count } from '@/ui/format';
import { ErrorState } from '@/ui/states';

function facts({ dataset_title, dataset, vertices }: Template): string {
  const name = dataset_title ?? dataset;
  return vertices === null ? name : `${name} · ${count(vertices)} vertices`;
}

/** Makes a model of the template and opens it in the editor. */
function OpenButton({ template }: { template: Template }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const open = useMutation({
    mutationFn: () =>
      unwrap(
        api().POST('/api/v1/models', {
          headers: { 'Idempotency-Key': randomKey() },
          body: { name: template.name, template: template.name },
        }),
      ),
    onSuccess: async (model) => {
      await queries.invalidateQueries({ queryKey: ['models'] });
      await navigate({ to: '/models/$id', params: { id: model.id } });
    },
  });
  return (
    <button type="button" className="btn small ghost" disabled={open.isPending} onClick={() => open.mutate()}>
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
        <h2>{template.title}</h2>
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
            search={{ kind: 'seastar', template: template.name }}
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

/** Models to train at once. */
export function TemplateCards() {
  const query = useQuery(templatesQuery);
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <section className="template-cards" aria-label="Templates" aria-busy={query.isPending}>
      {query.isPending && PLACES.map((place) => <div key={place} className="card skeleton template-place" />)}
      {query.data?.map((template, i) => (
        <TemplateCard key={template.name} template={template} first={i === 0} />
      ))}
    </section>
  );
}
