import './strategies.css';
import type { AnyRecord, Job } from '@/api/types';
import { bytes, count, percent, seconds } from '@/ui/format';
import { RecordView } from '@/ui/record-view';
import { meshText } from './plans';
import { type Planned, plannedOf, type Ran, ranOf, specOf } from './types';

/** Of each number of devices the least memory and the least time that a plan has. */
function Ends({ planned }: { planned: Planned }) {
  return (
    <section className="card clip" aria-label="Frontiers">
      <div className="card-head">
        <h2>Frontiers</h2>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th>Devices</th>
            <th className="num">Plans</th>
            <th className="num">Least memory</th>
            <th className="num">Least time</th>
          </tr>
        </thead>
        <tbody>
          {planned.frontiers.map(({ devices, found, points }) => (
            <tr key={devices}>
              <td>{devices}</td>
              <td className="num">{count(found)}</td>
              <td className="num">{bytes(points[0]?.memory_bytes)}</td>
              <td className="num">{seconds(points.at(-1)?.step_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How far a measured figure lies from what was said of it. */
function off(measured: number, said: number | undefined): string {
  if (!said) return '–';
  const share = measured / said - 1;
  return `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
}

function Beside({ ran }: { ran: Ran }) {
  const { predicted } = ran;
  const rows = [
    ['Step', seconds(predicted?.step_s), seconds(ran.step_s), off(ran.step_s, predicted?.step_s)],
    [
      'Memory held',
      bytes(predicted?.memory_bytes),
      bytes(ran.held_bytes),
      off(ran.held_bytes, predicted?.memory_bytes),
    ],
  ] as const;
  return (
    <section className="card clip" aria-label="Measured beside the plan">
      <div className="card-head">
        <h2>Measured beside the plan</h2>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th>Of a device</th>
            <th className="num">Predicted</th>
            <th className="num">Measured</th>
            <th className="num">Off</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, said, was, away]) => (
            <tr key={label}>
              <td>{label}</td>
              <td className="num">{said}</td>
              <td className="num">{was}</td>
              <td className="num">{away}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="facts card-body run-facts">
        <dt>Mesh of devices</dt>
        <dd>{meshText(ran.mesh)}</dd>
        <dt>In collectives</dt>
        <dd>{seconds(ran.asked_s)}, waiting included</dd>
        <dt>Peak memory</dt>
        <dd>{bytes(ran.peak_bytes)}</dd>
        <dt>One device</dt>
        <dd>{seconds(ran.one_device_s)} a step</dd>
        <dt>Losses</dt>
        <dd>within {ran.loss_off.toExponential(1)} of one device</dd>
        <dt>Collectives</dt>
        <dd>{ran.as_planned ? 'as planned: kind, group, bytes' : 'not as planned'}</dd>
      </dl>
    </section>
  );
}

/** What came out in short, and what was asked. */
export function Aside({ job }: { job: Job }) {
  const planned = plannedOf(job);
  const ran = ranOf(job);
  const { model, optimizer } = specOf(job.spec);
  return (
    <>
      {planned && <Ends planned={planned} />}
      {ran && <Beside ran={ran} />}
      <section className="card">
        <div className="card-head">
          <h2>Model</h2>
        </div>
        <div className="card-body">
          <RecordView value={{ ...(model as unknown as AnyRecord), optimizer }} />
        </div>
      </section>
    </>
  );
}
