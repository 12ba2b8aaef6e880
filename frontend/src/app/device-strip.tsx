import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queuesQuery, useLiveCluster } from '@/api/cluster';

/** Free and total slots by device, and how many jobs wait. */
export function DeviceStrip() {
  useLiveCluster();
  const { data: queues } = useQuery(queuesQuery);
  if (!queues) return null;
  const waiting = queues.reduce((sum, queue) => sum + queue.queued, 0);
  const shown = queues.filter((queue) => queue.slots > 0 || queue.queued > 0);
  return (
    <Link to="/cluster" className="devices" title="Free and total job slots by device, and jobs waiting">
      {shown.length === 0 && <span>No worker online</span>}
      {shown.map((queue) => (
        <span key={queue.device}>
          {queue.device.toUpperCase()} <b>{Math.max(0, queue.slots - queue.busy)}</b>/{queue.slots} free
        </span>
      ))}
      <span>
        Queue <b>{waiting}</b>
      </span>
    </Link>
  );
}
