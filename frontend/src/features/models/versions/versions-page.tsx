import './versions.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCatalog } from '@/canvas/view/use-catalog';
import { Empty, ErrorState, Loading, Note } from '@/ui/states';
import { useTitle } from '@/ui/title';
import { modelQuery, versionsQuery } from '../api';
import { browserDrafts } from '../local-drafts';
import { versionsPage } from '../route';
import { DocDiffView } from './doc-diff-view';
import { KeepForm } from './keep-form';
import { stateQuery } from './states';
import { VersionList } from './version-list';

/** The versions of a model, and what differs between any two of them or the draft. All of it is in the address. */
export default function VersionsPage() {
  const { id = '' } = versionsPage.useParams();
  const search = versionsPage.useSearch();
  const navigate = useNavigate();
  const model = useQuery(modelQuery(id));
  const versions = useQuery(versionsQuery(id));
  useTitle(model.data && `Versions of ${model.data.name}`);
  const failed = [model, versions].find((query) => query.error);
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />;
  if (!model.data || !versions.data) return <Loading rows={8} label="Reading the versions" />;
  const newest = versions.data[0]?.number;
  const from = search.from ?? (newest === undefined ? 'draft' : String(newest));
  const to = search.to ?? 'draft';
  const compare = (next: { from?: string; to?: string; view?: string }) =>
    void navigate({
      to: '/models/$id/versions',
      params: { id },
      search: { from, to, view: search.view, ...next },
      replace: true,
    });
  return (
    <div className="page">
      <div className="page-title">
        <h1>Versions of {model.data.name}</h1>
        <span className="push row">
          <Link className="btn" to="/models/$id" params={{ id }}>
            Open the editor
          </Link>
        </span>
      </div>
      <UnsavedHere id={id} />
      <div className="versions">
        <section className="card clip versions-side" aria-label="Versions">
          <KeepForm modelId={id} draft={{ etag: model.data.draft_etag }} same={!model.data.draft_differs} />
          <VersionList model={model.data} versions={versions.data} from={from} to={to} onCompare={compare} />
        </section>
        {newest === undefined ? (
          <section className="card">
            <Empty title="No version yet">
              A version is a draft with a name. It never changes; jobs say which one they ran. Once there is
              one, what differs from it is drawn here.
            </Empty>
          </section>
        ) : (
          <Compared
            id={id}
            hash={model.data.draft_etag}
            from={from}
            to={to}
            view={search.view}
            onView={(view) => compare({ view })}
          />
        )}
      </div>
    </div>
  );
}

/** Edits that never reached the server are no part of what is compared here. */
function UnsavedHere({ id }: { id: string }) {
  const unsaved = useQuery({
    queryKey: ['models', 'kept here'],
    queryFn: () => browserDrafts.models(),
    staleTime: 0,
  });
  if (!unsaved.data?.has(id)) return null;
  return (
    <Note
      tone="warn"
      role="status"
      action={
        <Link className="btn small" to="/models/$id" params={{ id }}>
          Open the editor
        </Link>
      }
    >
      This browser holds unsaved changes of the model. Open the editor to save or discard them.
    </Note>
  );
}

interface ComparedProps {
  id: string;
  hash: string;
  from: string;
  to: string;
  view: string | undefined;
  onView: (view: string) => void;
}

function Compared({ id, hash, from, to, view, onView }: ComparedProps) {
  const catalog = useCatalog();
  const before = useQuery(stateQuery(id, from, hash));
  const after = useQuery(stateQuery(id, to, hash));
  const failed = [before, after].find((query) => query.error);
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />;
  if (!before.data || !after.data) return <Loading rows={6} label="Reading both documents" />;
  return (
    <DocDiffView
      before={before.data}
      after={after.data}
      names={[nameOf(from), nameOf(to)]}
      catalog={catalog}
      view={view}
      onView={onView}
    />
  );
}

function nameOf(state: string): string {
  return state === 'draft' ? 'Draft' : `v${state}`;
}
