import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { healthQuery, workersQuery } from '@/api/cluster';
import type { Worker } from '@/api/types';
import { bytes } from '@/ui/format';
import { Status } from '@/ui/status';

function WorkerCell({ worker }: { worker: Worker }) {
  const memory = worker.devices.reduce((sum, device) => sum + device.memory_bytes, 0);
  const cores = worker.devices.reduce((sum, device) => sum + (device.cores ?? 0), 0);
  return (
    <div>
      <div className="row between">
        <b className="ellipsis">{worker.host}</b>
        <Status state={worker.state} />
      </div>
      <div className="health-line">
        <span className="caption">{worker.device.toUpperCase()} slots</span>
        <span className="meter">
          <i style={{ width: `${(worker.busy / Math.max(1, worker.slots)) * 100}%` }} />
        </span>
        <span className="mono">
          {worker.busy} of {worker.slots} busy
        </span>
      </div>
      <div className="health-line">
        <span className="caption">Memory</span>
        <span />
        <span className="mono">{bytes(memory)}</span>
      </div>
      <div className="health-line">
        <span className="caption">{cores > 0 ? 'Cores' : 'Devices'}</span>
        <span />
        <span className="mono">{cores > 0 ? cores : worker.devices.length}</span>
      </div>
    </div>
  );
}

function Services() {
  const { data: health, isError } = useQuery(healthQuery);
  const state = isError ? 'down' : (health?.status ?? 'unknown');
  return (
    <div>
      <div className="row between">
        <b>Services</b>
        <Status state={state} />
      </div>
      {health?.components.map((component) => (
        <div key={component.name} className="row between" title={component.detail}>
          <span className="caption">{component.name}</span>
          <span className={component.ok ? 'caption' : 'caption text-err'}>
            {component.ok ? 'up' : 'down'}
          </span>
        </div>
      ))}
    </div>
  );
}

const SHOWN = 3;

/** Workers and services at a glance. */
export function ClusterStrip() {
  const { data: workers } = useQuery(workersQuery);
  const online = (workers ?? []).filter((worker) => worker.state === 'online');
  return (
    <section className="card health" aria-label="Cluster">
      <div>
        <b>Cluster</b>
        <p className="text-2">
          {online.length} {online.length === 1 ? 'worker' : 'workers'} online
        </p>
        <Link to="/cluster">Workers and queue</Link>
      </div>
      {online.slice(0, SHOWN).map((worker) => (
        <WorkerCell key={worker.id} worker={worker} />
      ))}
      {workers && online.length === 0 && (
        <p className="text-2">No worker is online. Jobs wait until one is.</p>
      )}
      <Services />
    </section>
  );
}
