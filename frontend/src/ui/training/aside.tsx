import './training.css';
import { Link } from '@tanstack/react-router';
import { Fragment, useMemo, useSyncExternalStore } from 'react';
import { isFinished } from '@/api/job-events';
import { useJobSeries } from '@/api/job-series';
import type { AnyRecord, Job } from '@/api/types';
import { StackedBar } from '@/ui/charts/stacked-bar';
import { bytes, count, percent, seconds } from '@/ui/format';
import { figuresOf } from './goals';
import { phaseParts } from './profile-model';
import { type Outcome, resultOf, specOf } from './types';

const RECENT = 50;

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median of the newest epochs' times while the job runs. */
function useEpochTime(job: Job): number | null {
  const { buffer } = useJobSeries(job);
  const version = useSyncExternalStore(
    (listener) => buffer.subscribe(listener),
    () => buffer.version,
  );
  return useMemo(() => {
    const recent = version >= 0 ? buffer.column('epoch_ms').slice(-RECENT) : [];
    const middle = median(recent.filter((value): value is number => value !== null));
    return middle === null ? null : middle / 1000;
  }, [buffer, version]);
}

function Tile(props: { title: string; caption?: string; value: string; children?: React.ReactNode }) {
  const at = props.value.lastIndexOf(' ');
  const [figure, unit] = at < 0 ? [props.value, ''] : [props.value.slice(0, at), props.value.slice(at)];
  return (
    <section className="card tile">
      <div className="row between">
        <h2>{props.title}</h2>
        {props.caption && <span className="caption">{props.caption}</span>}
      </div>
      <div className="big-number">
        {figure}
        {unit && <small>{unit}</small>}
      </div>
      {props.children}
    </section>
  );
}

function EpochTile({ job }: { job: Job }) {
  const live = useEpochTime(job);
  const result = resultOf(job);
  const waiting = isFinished(job.state) ? 'not measured' : 'waiting for the first epoch';
  const value = result?.epoch_s ?? live;
  return (
    <Tile
      title="Epoch time"
      caption={value === null ? waiting : result ? 'median, without evaluation' : `median of last ${RECENT}`}
      value={seconds(value)}
    >
      {result && (
        <p className="caption">
          {count(result.epochs_run)} epochs{result.stopped_early ? ', stopped early' : ''}; kernels ready in{' '}
          {seconds(result.compile_s)} ({result.kernels_built} built, {result.kernels_cached} from the cache)
        </p>
      )}
    </Tile>
  );
}

/** Further figures of the test, as a link predictor has. */
function MoreFigures({ outcome }: { outcome: Outcome }) {
  return figuresOf(outcome, 'test')
    .slice(1)
    .map(({ label, value }) => (
      <Fragment key={label}>
        <dt>{label.charAt(0).toUpperCase() + label.slice(1)}</dt>
        <dd>{value}</dd>
      </Fragment>
    ));
}

function FoldBars({ outcome }: { outcome: Outcome }) {
  if (outcome.type !== 'graph_classification' || outcome.folds.length === 0) return null;
  return (
    <ol className="fold-bars" aria-label="Test accuracy of each fold">
      {outcome.folds.map((fold, place) => (
        <li
          key={place}
          style={{ height: `${100 * fold.test_accuracy}%` }}
          title={`fold ${place + 1}: ${percent(fold.test_accuracy)}, epoch ${fold.best_epoch}`}
        />
      ))}
    </ol>
  );
}

function OutcomeTile({ job }: { job: Job }) {
  const result = resultOf(job);
  if (!result) return null;
  const { outcome } = result;
  const [test, val, train] = (['test', 'val', 'train'] as const).map((part) => figuresOf(outcome, part)[0]!);
  const crossed = outcome.type === 'graph_classification' && outcome.folds.length > 0;
  return (
    <Tile
      title={`Test ${test!.label}`}
      caption={crossed ? `mean of ${outcome.folds.length} folds` : `weights of epoch ${result.best_epoch}`}
      value={test!.value}
    >
      <FoldBars outcome={outcome} />
      <dl className="facts">
        <MoreFigures outcome={outcome} />
        <dt>Validation</dt>
        <dd>{val!.value}</dd>
        <dt>Training</dt>
        <dd>{train!.value}</dd>
        <dt>Parameters</dt>
        <dd>{count(result.parameters)}</dd>
      </dl>
    </Tile>
  );
}

function MemoryTile({ job }: { job: Job }) {
  const result = resultOf(job);
  const caption = result
    ? 'growth over the start'
    : isFinished(job.state)
      ? 'not measured'
      : 'measured at the end';
  return <Tile title="Peak memory" caption={caption} value={bytes(result?.peak_memory_bytes)} />;
}

function whereWaiting(job: Job): string {
  if (isFinished(job.state)) return 'No epoch was measured kernel by kernel.';
  const epochs = specOf(job.spec as unknown as AnyRecord).training?.profile_epochs ?? 0;
  return epochs === 0 ? 'This job measures no epoch.' : 'Ready when training ends.';
}

function WhereTile({ job }: { job: Job }) {
  const profile = resultOf(job)?.profile;
  return (
    <section className="card tile">
      <div className="row between">
        <h2>Where an epoch goes</h2>
        <Link to="/jobs/$id" params={{ id: job.id }} search={{ tab: 'profile' }}>
          Profile
        </Link>
      </div>
      {profile ? (
        <StackedBar parts={phaseParts(profile)} label="Shares of one epoch" />
      ) : (
        <p className="caption">{whereWaiting(job)}</p>
      )}
    </section>
  );
}

/** The figures beside a training job's curves. */
export function Aside({ job }: { job: Job }) {
  return (
    <>
      <OutcomeTile job={job} />
      <EpochTile job={job} />
      <MemoryTile job={job} />
      <WhereTile job={job} />
    </>
  );
}
