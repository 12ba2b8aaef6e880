import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { age } from '@/ui/format';
import { type ModelItem, readDraft, restoreVersion } from '../api';
import type { VersionItem } from './types';

interface ListProps {
  model: ModelItem;
  versions: readonly VersionItem[];
  from: string;
  to: string;
  onCompare: (next: { from?: string; to?: string }) => void;
}

/** Draft and versions, newest first: which two are compared, and the way back to any of them. */
export function VersionList({ model, versions, from, to, onCompare }: ListProps) {
  const restore = useRestore(model);
  return (
    <div className="table-scroll">
      <table className="table versions-table">
        <thead>
          <tr>
            <th>From</th>
            <th>To</th>
            <th>Version</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr data-state="draft">
            <Picks state="draft" name="the draft" from={from} to={to} onCompare={onCompare} />
            <td colSpan={2}>
              <b>Draft</b>
              <div className="caption">
                {model.draft_differs
                  ? 'differs from the newest version'
                  : `the same as v${model.newest_version}`}
                , {age(model.updated_at, Date.now())}
              </div>
            </td>
          </tr>
          {versions.map((version) => (
            <tr key={version.number} data-state={version.number}>
              <Picks
                state={String(version.number)}
                name={`version ${version.number}`}
                from={from}
                to={to}
                onCompare={onCompare}
              />
              <td>
                <b>v{version.number}</b> {version.note || <span className="text-3">no name</span>}
                <div className="caption" title={version.content_hash}>
                  <span title={new Date(version.created_at).toLocaleString()}>
                    {age(version.created_at, Date.now())}
                  </span>
                  , <code>{version.content_hash.slice(0, 8)}</code>
                </div>
              </td>
              <td className="versions-actions">
                <button
                  type="button"
                  className="btn small"
                  aria-label={`Restore version ${version.number}`}
                  disabled={restore.isPending}
                  onClick={() => restore.mutate(version.number)}
                >
                  Restore
                </button>
                <CopyAs
                  what={`Restore version ${version.number}`}
                  call={() => restoreVersion(model.id, version.number, model.draft_etag)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {restore.error && (
        <p className="text-err" role="alert">
          {restore.error.message}
        </p>
      )}
    </div>
  );
}

interface PicksProps {
  state: string;
  name: string;
  from: string;
  to: string;
  onCompare: (next: { from?: string; to?: string }) => void;
}

function Picks({ state, name, from, to, onCompare }: PicksProps) {
  return (
    <>
      <td className="versions-pick">
        <label>
          <input
            type="radio"
            name="from"
            aria-label={`Compare from ${name}`}
            checked={from === state}
            onChange={() => onCompare({ from: state })}
          />
        </label>
      </td>
      <td className="versions-pick">
        <label>
          <input
            type="radio"
            name="to"
            aria-label={`Compare to ${name}`}
            checked={to === state}
            onChange={() => onCompare({ to: state })}
          />
        </label>
      </td>
    </>
  );
}

/** The server keeps a draft that differs as a version first, so that nothing is lost. */
function useRestore(model: ModelItem) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (number: number) => {
      const { etag } = await readDraft(model.id);
      await restoreVersion(model.id, number, etag);
      return number;
    },
    onSuccess: async (number) => {
      notifications.show({
        message: model.draft_differs
          ? `Version ${number} is the draft again. The draft before it was kept as a version.`
          : `Version ${number} is the draft again.`,
      });
      await queries.invalidateQueries({ queryKey: ['models'] });
    },
  });
}
