import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { isFinished } from '@/api/job-events';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, percent, seconds, sentence } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import { communication, fits, meshText, type Plan } from './plans';
import { plansTable } from './plans-data';
import { ranOf } from './types';

/** What runs of a plan took, newest first; how far the newest is while it goes on. */
export function Measured({ runs }: { runs: readonly Job[] }) {
  const [run] = runs;
  if (!run) return '–';
  const ran = ranOf(run);
  const more = runs.length > 1 ? ` of ${runs.length}` : '';
  return (
    <Link to="/jobs/$id" params={{ id: run.id }} onClick={(event) => event.stopPropagation()}>
      {ran ? seconds(ran.step_s) : isFinished(run.state) ? sentence(run.state) : 'running'}
      {more}
    </Link>
  );
}

/** Every plan with its figures; a row picks it, as a point of the drawing does. */
export function PlansTable(props: {
  job: Job;
  plans: readonly Plan[];
  runs: ReadonlyMap<string, readonly Job[]>;
  cap: number;
  chosen: Plan | null;
  onChoose: (plan: Plan) => void;
}) {
  const { job, plans, runs, cap, chosen, onChoose } = props;
  const card = useRef<HTMLElement>(null);
  return (
    <section className="card clip" ref={card} aria-label="Plans">
      <div className="card-head">
        <h2>Plans</h2>
        <span className="caption ellipsis">by memory of a device</span>
        <span className="push" data-export="no">
          <ExportMenu
            title="Plans"
            file={`${job.name} plans`}
            target={card}
            table={() => plansTable(plans, runs)}
          />
        </span>
      </div>
      <TableScroll label="Plans" className="tall plans">
        <table className="table">
          <thead>
            <tr>
              <th>Plan</th>
              <th>Mesh</th>
              <th className="num">Memory</th>
              <th className="num">Step, predicted</th>
              <th className="num">Communication</th>
              <th className="num">Step, measured</th>
              <th>Cap {bytes(cap)}</th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <tr
                key={plan.id}
                className="clickable"
                aria-selected={plan.id === chosen?.id}
                onClick={() => onChoose(plan)}
              >
                <td>
                  <button type="button" className="plan-name" onClick={() => onChoose(plan)}>
                    {plan.onFrontier ? `Plan ${plan.title}` : plan.title}
                  </button>
                </td>
                <td className="mono">{meshText(plan.costed.mesh)}</td>
                <td className="num">{bytes(plan.costed.memory_bytes)}</td>
                <td className="num">{seconds(plan.costed.step_s)}</td>
                <td className="num">{percent(communication(plan.costed), 0)}</td>
                <td className="num">
                  <Measured runs={runs.get(plan.id) ?? []} />
                </td>
                <td className="text-3">{fits(plan, cap) ? 'fits' : 'over the cap'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
