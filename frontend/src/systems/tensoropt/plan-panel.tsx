import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { Link } from '@tanstack/react-router';
import { isFinished } from '@/api/job-events';
import type { Job } from '@/api/types';
import { StackedBar } from '@/ui/charts/stacked-bar';
import { copyOrShow } from '@/ui/copy-as/copy-as';
import { bytes, percent, plural, seconds } from '@/ui/format';
import { Note } from '@/ui/states';
import { partsOf } from './causes';
import { meshText, type Plan } from './plans';
import { pythonOf, useRunPlan } from './runs';
import { Splits } from './splits-table';
import { ranOf } from './types';

const MOST_RANKS = 8; // processes that a run starts on one host

function Big({ label, value, note }: { label: string; value: string; note: string }) {
  const at = value.lastIndexOf(' ');
  return (
    <div>
      <span className="caption">{label}</span>
      <div className="big-number">
        {value.slice(0, at)}
        <small>{value.slice(at)}</small>
      </div>
      <span className="caption">{note}</span>
    </div>
  );
}

function Runs({ plan, runs, comparable }: { plan: Plan; runs: readonly Job[]; comparable: boolean }) {
  if (runs.length === 0) return null;
  return (
    <ul className="plan-runs" aria-label="Runs of this plan">
      {runs.map((run) => {
        const ran = ranOf(run);
        const off = ran ? ran.step_s / plan.costed.step_s - 1 : 0;
        return (
          <li key={run.id} className="row between">
            <Link to="/jobs/$id" params={{ id: run.id }}>
              {isFinished(run.state) ? 'Measured' : 'Running'}
            </Link>
            {ran ? (
              <span>
                <b>{seconds(ran.step_s)}</b>{' '}
                <span className="text-3">
                  {comparable ? `${off < 0 ? '−' : '+'}${percent(Math.abs(off))}, ` : ''}
                  {bytes(ran.held_bytes)} held
                </span>
              </span>
            ) : (
              <span className="text-3">{run.state}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function RunButtons({ job, plan, comparable }: { job: Job; plan: Plan; comparable: boolean }) {
  const run = useRunPlan(job);
  const ranks = plan.costed.mesh.reduce((a, b) => a * b, 1);
  const tooMany = ranks > MOST_RANKS;
  return (
    <div className="plan-run">
      {run.error && (
        <Note tone="err" role="alert">
          <b>The run was not started.</b> {run.error.message}
        </Note>
      )}
      <div className="row">
        <button
          type="button"
          className="btn primary grow"
          disabled={run.isPending || tooMany}
          onClick={() => run.mutate(plan)}
        >
          <IconPlayerPlay size={14} />
          {run.isPending ? 'Starting' : 'Run this plan'}
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => void copyOrShow('Run this plan, as Python', pythonOf(job, plan, location.origin))}
        >
          Copy Python
        </button>
      </div>
      <p className="caption">
        {tooMany
          ? `A host runs up to ${MOST_RANKS} processes; this plan takes ${ranks}.`
          : `Trains on ${ranks} ${ranks === 1 ? 'process' : 'processes'} of this host. ${
              comparable
                ? 'What is measured appears in the drawing.'
                : 'The plan is for another machine, so its time is not that of the plan.'
            }`}
      </p>
    </div>
  );
}

/** The chosen plan: what it takes and why, how tensors are split, and the button that trains by it. */
export function PlanPanel(props: {
  job: Job;
  plan: Plan;
  runs: readonly Job[];
  cap: number;
  comparable: boolean;
}) {
  const { job, plan, cap } = props;
  const { costed } = plan;
  const room = cap - costed.memory_bytes;
  const again =
    costed.recomputed > 0 ? `, ${plural(costed.recomputed, 'block')} computed again` : ', nothing twice';
  return (
    <section className="card plan-panel" aria-label="Chosen plan">
      <div className="card-head">
        <h2>{plan.onFrontier ? `Plan ${plan.title}` : plan.title}</h2>
        <span className={plan.onFrontier ? 'chip accent' : 'chip'}>
          {plan.onFrontier ? 'on the frontier' : 'known'}
        </span>
      </div>
      <div className="card-body stack">
        <div className="plan-figures">
          <Big
            label="Memory of a device"
            value={bytes(costed.memory_bytes)}
            note={room >= 0 ? `${bytes(room)} under the cap` : `${bytes(-room)} over the cap`}
          />
          <Big label="Time of a step" value={seconds(costed.step_s)} note="predicted" />
        </div>
        <p className="text-2">
          Mesh {meshText(costed.mesh)}
          {again}
        </p>
        <h3>Memory</h3>
        <StackedBar parts={partsOf(costed.memory)} label="Memory by cause" format={bytes} />
        <h3>Time</h3>
        <StackedBar parts={partsOf(costed.time)} label="Time by cause" format={seconds} />
        <Runs {...props} />
      </div>
      <RunButtons job={job} plan={plan} comparable={props.comparable} />
      <Splits job={job} plan={plan} />
    </section>
  );
}
