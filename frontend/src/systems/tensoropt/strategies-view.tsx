import { useRef } from 'react';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, count, percent, plural, seconds } from '@/ui/format';
import { PlanPanel } from './plan-panel';
import { plansTable } from './plans-data';
import { PlansTable } from './plans-table';
import { useRuns } from './runs';
import { type Mark, Scatter } from './scatter';
import { type Frontier, type Planned, ranOf } from './types';
import { type Choice, useChoice } from './use-choice';

const LEGEND = [
  ['frontier', 'line'],
  ['known', 'square'],
  ['measured', 'diamond'],
] as const;

/** Which numbers of devices there are frontiers for. */
function Devices({ planned, choice }: { planned: Planned; choice: Choice }) {
  return (
    <fieldset className="segments strategies-devices" aria-label="Devices">
      {planned.frontiers.map(({ devices }) => (
        <button
          key={devices}
          type="button"
          aria-pressed={devices === choice.frontier.devices}
          onClick={() => choice.setDevices(devices)}
        >
          {plural(devices, 'device')}
        </button>
      ))}
    </fieldset>
  );
}

/** How far the search can be trusted. */
function proof({ exact, eps }: Frontier): string {
  return exact ? 'exact' : `within ${percent(eps, 1)} of the best`;
}

function measured({ taken, residual }: Planned['machine']): string {
  const when = taken ? ` ${new Date(taken).toLocaleString()}` : '';
  return `measured${when}${residual == null ? '' : `, off by ${percent(residual)}`}`;
}

function Facts({ planned, frontier }: { planned: Planned; frontier: Frontier }) {
  const { machine } = planned;
  const given = frontier.points.length < frontier.found ? `, ${count(frontier.points.length)} shown` : '';
  const source = machine.source === 'measured' ? measured(machine) : 'declared, not measured';
  return (
    <p className="strategies-facts">
      <span>
        <b>{count(frontier.found)}</b> on the frontier{given}
      </span>
      <span>
        searched in <b>{seconds(frontier.search_s)}</b>
      </span>
      <span>
        <b>{proof(frontier)}</b>
      </span>
      <span title={machine.note}>
        {machine.name}, {bytes(machine.memory)} each: {source}
      </span>
    </p>
  );
}

/** Frontier, table and the chosen plan: one choice in three places. `page` is the job whose address keeps it. */
export function StrategiesView(props: {
  job: Job;
  planned: Planned;
  page: string;
  first: string | undefined;
}) {
  const { job, planned, page, first } = props;
  const choice = useChoice(planned, page, first);
  const runs = useRuns(job.id);
  const card = useRef<HTMLElement>(null);
  const { frontier, plans, cap, chosen } = choice;
  // A run is on this host: beside the figures of another machine it says nothing.
  const comparable = planned.machine.source === 'measured';
  const marks: Mark[] = plans.flatMap((plan) =>
    (comparable ? (runs.get(plan.id) ?? []) : []).flatMap((run) => {
      const ran = ranOf(run);
      return ran ? [{ id: run.id, plan, memory: ran.held_bytes, seconds: ran.step_s }] : [];
    }),
  );
  return (
    <div className="strategies">
      <div className="stack">
        <div className="row wrap wide">
          <Devices planned={planned} choice={choice} />
          <Facts planned={planned} frontier={frontier} />
        </div>
        <section className="card" ref={card} aria-label="Memory and time">
          <div className="card-head wrap">
            <h2>Memory and time</h2>
            <span className="push">
              <span className="row wrap">
                {LEGEND.filter(([name]) => name !== 'measured' || comparable).map(([name, shape]) => (
                  <span key={name} className="scatter-legend" data-shape={shape}>
                    {name}
                  </span>
                ))}
              </span>
              <ExportMenu
                title="Memory and time"
                file={`${job.name} strategies of ${frontier.devices} devices`}
                target={card}
                table={() => plansTable(plans, runs)}
              />
            </span>
          </div>
          <Scatter
            plans={plans}
            marks={marks}
            chosen={chosen}
            onChoose={choice.choose}
            cap={cap}
            onCap={choice.setCap}
            label={`Strategies for ${plural(frontier.devices, 'device')}`}
          />
        </section>
        <PlansTable job={job} plans={plans} runs={runs} cap={cap} chosen={chosen} onChoose={choice.choose} />
      </div>
      {chosen ? (
        <PlanPanel
          job={job}
          plan={chosen}
          runs={runs.get(chosen.id) ?? []}
          cap={cap}
          comparable={comparable}
        />
      ) : (
        <TooLittle plans={plans} cap={cap} />
      )}
    </div>
  );
}

/** No plan fits: how much the least one needs. */
function TooLittle({ plans, cap }: { plans: Choice['plans']; cap: number }) {
  const least = plans[0]?.costed.memory_bytes ?? 0;
  return (
    <section className="card plan-panel" aria-label="No plan fits" role="status">
      <div className="card-head">
        <h2>No plan fits</h2>
      </div>
      <p className="card-body">
        A device needs at least <b>{bytes(least)}</b>, {bytes(least - cap)} more than the cap. Raise the cap,
        or spread over more devices.
      </p>
    </section>
  );
}
