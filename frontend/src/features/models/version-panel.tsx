import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { replaceAll } from '@/canvas/model/edits';
import { useEditorStore } from '@/canvas/view/store';
import { age } from '@/ui/format';
import { type ModelItem, restoreVersion, versionsQuery } from './api';
import type { DraftSaver } from './draft-saver';
import { KeepForm } from './versions/keep-form';
import { readVersion } from './versions/states';

interface VersionsProps {
  model: ModelItem;
  saver: DraftSaver;
  same: boolean;
  onKept: (number: number) => void;
  onDone: () => void;
}

/** Keeps the draft as a version, lists the others and goes back to one. */
export function VersionPanel({ model, saver, same, onKept, onDone }: VersionsProps) {
  const store = useEditorStore();
  const queries = useQueryClient();
  const versions = useQuery(versionsQuery(model.id));
  const refresh = () =>
    queries.invalidateQueries({ queryKey: ['models'], predicate: (query) => query.queryKey[2] !== 'draft' });
  const restore = useMutation({
    mutationFn: async (number: number) => {
      await saver.flush();
      return { number, draft: await restoreVersion(model.id, number, saver.etag) };
    },
    onSuccess: async ({ number, draft }) => {
      const { dispatch, history, markSaved } = store.getState();
      dispatch(replaceAll(history.doc, draft.doc, `Restore version ${number}`));
      markSaved(store.getState().history.doc);
      saver.goOn(draft.etag);
      await refresh();
      onDone();
    },
  });
  // An edit as any other: undo takes it back, and the draft is saved by itself.
  const discard = useMutation({
    mutationFn: (number: number) => readVersion(model.id, number),
    onSuccess: (doc) => {
      const { dispatch, history } = store.getState();
      dispatch(replaceAll(history.doc, doc, 'Discard draft'));
      onDone();
    },
  });
  const newest = versions.data?.[0]?.number;
  const failed = restore.error ?? discard.error;
  return (
    <div className="stack">
      <KeepForm
        modelId={model.id}
        draft={saver}
        same={same}
        onKept={(number) => {
          onKept(number);
          onDone();
        }}
      />
      <div className="row wrap">
        <Link className="btn" to="/models/$id/versions" params={{ id: model.id }}>
          Compare versions
        </Link>
        {newest !== undefined && (
          <button
            type="button"
            className="btn"
            disabled={same || discard.isPending}
            title="Ctrl+Z brings the draft back"
            onClick={() => discard.mutate(newest)}
          >
            Discard draft, back to v{newest}
          </button>
        )}
      </div>
      {failed && (
        <p className="text-err" role="alert">
          {failed.message}
        </p>
      )}
      {versions.data?.length === 0 && (
        <p className="text-2">No version yet. A version never changes; jobs name the one they ran.</p>
      )}
      {versions.data && versions.data.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>Version</th>
              <th>Name</th>
              <th>Hash</th>
              <th>Age</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {versions.data.map((version) => (
              <tr key={version.number}>
                <td>v{version.number}</td>
                <td className="ellipsis" style={{ maxWidth: 220 }}>
                  {version.note || <span className="text-3">no name</span>}
                </td>
                <td>
                  <code title={version.content_hash}>{version.content_hash.slice(0, 8)}</code>
                </td>
                <td>{age(version.created_at, Date.now())}</td>
                <td>
                  <button
                    type="button"
                    className="btn small"
                    disabled={restore.isPending}
                    onClick={() => restore.mutate(version.number)}
                  >
                    Restore
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
