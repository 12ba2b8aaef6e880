import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actOnImport, type DatasetDetail } from './api';
import { DatasetStatus } from './dataset-status';

/** A dataset that is not there yet, or could not be made: why, in which file, and what to do. */
export function ImportState({ dataset }: { dataset: DatasetDetail }) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (action: 'cancel' | 'retry') => actOnImport(dataset.job_id ?? '', action),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['datasets'] }),
  });
  const failed = dataset.state === 'failed';
  return (
    <section className="card import-state">
      {failed ? (
        <div className="import-failure" role="alert">
          <IconCircleX size={20} stroke={1.75} />
          <div>
            <h2>The import failed; nothing of it was kept</h2>
            <p className="import-reason">{dataset.state_reason}</p>
          </div>
        </div>
      ) : (
        <>
          <DatasetStatus dataset={dataset} />
          <p className="text-2">
            {dataset.progress?.unit ? `Working on it: ${dataset.progress.unit}. ` : 'Waiting for a worker. '}
            This page follows by itself.
          </p>
        </>
      )}
      {act.error && <p className="text-err">{act.error.message}</p>}
      <div className="row wrap">
        {dataset.actions.includes('retry') && (
          <button type="button" className="btn" disabled={act.isPending} onClick={() => act.mutate('retry')}>
            Try again
          </button>
        )}
        {dataset.actions.includes('cancel') && (
          <button type="button" className="btn" disabled={act.isPending} onClick={() => act.mutate('cancel')}>
            Cancel the import
          </button>
        )}
        {failed && (
          <Link className="btn" to="/datasets/new" search={{ from: dataset.source_type }}>
            Import corrected files
          </Link>
        )}
        {dataset.job_id && (
          <Link className="btn ghost" to="/jobs/$id" params={{ id: dataset.job_id }} search={{ tab: 'logs' }}>
            See the log
          </Link>
        )}
      </div>
    </section>
  );
}
