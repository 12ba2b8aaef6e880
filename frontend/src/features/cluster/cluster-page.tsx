import './cluster.css';
import IconServerOff from '@tabler/icons-react/icons/IconServerOff';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '@/api/client';
import { healthQuery, queuesQuery, workersQuery } from '@/api/cluster';
import type { Queue, Worker } from '@/api/types';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { age, bytes, count } from '@/ui/format';
import { useNow } from '@/ui/now';
import { Empty, ErrorState, Loading, Note } from '@/ui/states';
import { Status } from '@/ui/status';
import { TableScroll } from '@/ui/table-scroll';
import { JobNameLink } from './job-name-link';

const READINGS = [
  { what: 'Read the queues', call: () => api().GET('/api/v1/queue') },
  { what: 'Read the workers', call: () => api().GET('/api/v1/workers') },
];

function QueueCard({ queue, now }: { queue: Queue; now: number }) {
  const free = Math.max(0, queue.slots - queue.busy);
  return (
    <section className="card queue-card">
      <div className="row between">
        <h2>{queue.device.toUpperCase()} jobs</h2>
        <span className="caption">
          {queue.workers} {queue.workers === 1 ? 'worker' : 'workers'}
        </span>
      </div>
      <div className="big-number">
        {free} <small>of {queue.slots} slots free</small>
      </div>
      <div className="meter" role="img" aria-label={`${queue.busy} of ${queue.slots} slots busy`}>
        <i style={{ width: `${(queue.busy / Math.max(1, queue.slots)) * 100}%` }} />
      </div>
      <p className="text-2">
        {queue.queued === 0
          ? 'Nothing waits.'
          : `${count(queue.queued)} waiting, the oldest for ${age(queue.oldest_queued_at, now)}.`}
      </p>
      {queue.next_jobs.length > 0 && (
        <ol className="queue-next">
          {queue.next_jobs.slice(0, 5).map((id) => (
            <li key={id}>
              <JobNameLink id={id} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function devices(worker: Worker): string {
  return worker.devices
    .map((d) => `${d.name}${d.cores ? `, ${d.cores} cores` : ''}, ${bytes(d.memory_bytes)}`)
    .join('; ');
}

function WorkerRow({ worker, now }: { worker: Worker; now: number }) {
  return (
    <tr>
      <td>
        <b>{worker.host}</b> <span className="caption">pid {worker.pid}</span>
      </td>
      <td>
        <Status state={worker.state} />
      </td>
      <td>{worker.device.toUpperCase()}</td>
      <td>
        <span className="mono">
          {worker.busy} of {worker.slots}
        </span>
      </td>
      <td className="text-2 ellipsis worker-devices" title={devices(worker)}>
        {devices(worker)}
      </td>
      <td>
        {worker.jobs.length === 0 && <span className="text-3">–</span>}
        {worker.jobs.map((id) => (
          <JobNameLink key={id} id={id} />
        ))}
      </td>
      <td
        className="text-2"
        title={Object.entries(worker.versions)
          .map(([name, v]) => `${name} ${v}`)
          .join(', ')}
      >
        {age(worker.started_at, now)}
      </td>
    </tr>
  );
}

function tableOf(workers: readonly Worker[]): TableData {
  return {
    head: ['id', 'host', 'pid', 'state', 'takes', 'busy', 'slots', 'devices', 'jobs', 'started_at'],
    rows: workers.map((w) => [
      ...[w.id, w.host, w.pid, w.state, w.device, w.busy, w.slots],
      ...[devices(w), w.jobs.join(' '), w.started_at],
    ]),
  };
}

/** What the page knows of its queues, a row each. */
function queueTable(queues: readonly Queue[]): TableData {
  return {
    head: ['device', 'workers', 'slots', 'busy', 'queued', 'oldest_queued_at', 'next_jobs'],
    rows: queues.map((q) => [
      ...[q.device, q.workers, q.slots, q.busy, q.queued],
      ...[q.oldest_queued_at, q.next_jobs.join(' ')],
    ]),
  };
}

function Workers() {
  const query = useQuery(workersQuery);
  const now = useNow(5000);
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  if (query.data.length === 0) {
    return (
      <Empty icon={IconServerOff} title="No workers">
        A worker runs jobs on this or another machine. Start one with{' '}
        <code>python -m workers --device cpu --slots 2</code>.
      </Empty>
    );
  }
  return (
    <TableScroll label="Workers of the cluster">
      <table className="table">
        <thead>
          <tr>
            <th>Worker</th>
            <th>Status</th>
            <th>Takes</th>
            <th>Busy</th>
            <th>Devices</th>
            <th>Jobs</th>
            <th>Up for</th>
          </tr>
        </thead>
        <tbody>
          {query.data.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} now={now} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function HealthNote() {
  const { data } = useQuery(healthQuery);
  const down = data?.components.filter((component) => !component.ok) ?? [];
  if (down.length === 0) return null;
  return (
    <Note tone="warn" role="status">
      {down.map((component) => `${component.name}: ${component.detail}`).join(' ')}
    </Note>
  );
}

export default function ClusterPage() {
  const queues = useQuery(queuesQuery);
  const workers = useQuery(workersQuery);
  const now = useNow(5000);
  const cards = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  return (
    <div className="page">
      <div className="page-title">
        <h1>Cluster</h1>
        <span className="push">
          <CopyAs actions={READINGS} />
          <ExportMenu title="Queues" target={cards} table={() => queueTable(queues.data ?? [])} />
        </span>
      </div>
      <HealthNote />
      <div className="queues" ref={cards}>
        {queues.data?.map((queue) => (
          <QueueCard key={queue.device} queue={queue} now={now} />
        ))}
      </div>
      <section className="card clip" aria-label="Workers" ref={card}>
        <div className="card-head">
          <h2>Workers</h2>
          <span className="caption">live, and those that went within the last hour</span>
          <span className="push">
            <ExportMenu title="Workers" target={card} table={() => tableOf(workers.data ?? [])} />
          </span>
        </div>
        <Workers />
      </section>
    </div>
  );
}
