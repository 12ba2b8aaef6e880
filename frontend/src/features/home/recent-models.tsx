import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconVector from '@tabler/icons-react/icons/IconVectorTriangle';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { recentModelsQuery } from '@/api/catalog';
import { api, unwrap } from '@/api/client';
import type { Model } from '@/api/types';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { age } from '@/ui/format';
import { useNow } from '@/ui/now';
import { Empty, ErrorState, Loading } from '@/ui/states';

function useSketch(model: Model) {
  return useQuery({
    queryKey: ['models', model.id, 'sketch-doc', model.draft_hash],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const params = { path: { model_id: model.id } };
      return docFrom((await unwrap(api().GET('/api/v1/models/{model_id}/draft', { params }))).doc);
    },
  });
}

function ModelRow({ model, now }: { model: Model; now: number }) {
  const catalog = useCatalog();
  const { data: doc } = useSketch(model);
  const unsaved = model.newest_version > 0 && model.draft_differs;
  return (
    <Link className="home-model" to="/models/$id" params={{ id: model.id }}>
      <span className="home-model-sketch">
        {doc && <ModelThumbnail doc={doc} catalog={catalog} label={`The layers of ${model.name}`} />}
      </span>
      <span className="grow">
        <span className="row">
          <b className="ellipsis">{model.name}</b>
          {model.newest_version > 0 && <span className="chip">v{model.newest_version}</span>}
        </span>
        <span className={unsaved ? 'caption home-differs' : 'caption'}>
          {unsaved && <IconAlertTriangle size={12} />}
          {unsaved ? `Draft differs from v${model.newest_version}` : `${model.nodes} layers`}
        </span>
      </span>
      <time className="caption" dateTime={model.updated_at}>
        {age(model.updated_at, now)}
      </time>
    </Link>
  );
}

export function RecentModels() {
  const query = useQuery(recentModelsQuery);
  const now = useNow(10_000);
  return (
    <section className="card clip" aria-labelledby="recent-models">
      <div className="card-head">
        <h2 id="recent-models">Recent models</h2>
        <span className="push">
          <Link to="/models">All models</Link>
        </span>
      </div>
      {query.isPending && <Loading rows={5} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <Empty icon={IconVector} title="No models yet">
          Open a template to change its layers, or start from an empty canvas.
        </Empty>
      )}
      {query.data?.map((model) => (
        <ModelRow key={model.id} model={model} now={now} />
      ))}
    </section>
  );
}
