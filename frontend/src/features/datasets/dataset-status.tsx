import IconLoader from '@tabler/icons-react/icons/IconLoader2';
import { duration } from '@/ui/format';
import { Status } from '@/ui/status';
import type { DatasetItem } from './api';

/** Ready, failed, or how far the import is. */
export function DatasetStatus({ dataset, pill = false }: { dataset: DatasetItem; pill?: boolean }) {
  if (dataset.state !== 'importing') return <Status state={dataset.state} pill={pill} />;
  const { progress } = dataset;
  const ratio = progress?.total ? progress.done / progress.total : null;
  return (
    <span className="importing" role="status">
      <span className={pill ? 'status pill' : 'status'} data-tone="run">
        <IconLoader size={15} stroke={1.75} />
        Importing
      </span>
      <span className={ratio === null ? 'meter unknown' : 'meter'}>
        <i style={ratio === null ? undefined : { width: `${100 * ratio}%` }} />
      </span>
      {progress?.eta_s != null && <span className="caption">{duration(progress.eta_s)} left</span>}
    </span>
  );
}
