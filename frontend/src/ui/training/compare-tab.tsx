import './training.css';
import IconScale from '@tabler/icons-react/icons/IconScale';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { isFinished } from '@/api/job-events';
import type { AnyRecord, Job } from '@/api/types';
import { BarList } from '@/ui/charts/bar-list';
import { ChartCard } from '@/ui/charts/chart-card';
import { SeriesBuffer } from '@/ui/charts/series-buffer';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, number } from '@/ui/format';
import { Empty, Note } from '@/ui/states';
import {
  type ComparedRun,
  type Comparison,
  curvePoints,
  looks,
  type Measure,
  measured,
  ratioTo,
  SYSTEMS,
} from './compare-model';
import { CompareTable } from './compare-table';
import { PassStudyCards } from './pass-study-card';
import { comparedOf, specOf, typedOf } from './types';

const MEASURES: readonly {
  measure: Measure;
  title: string;
  caption: string;
  yMin?: number;
  yMax?: number;
}[] = [
  { measure: 'val_loss', title: 'Validation loss', caption: 'by seconds of training, logarithmic' },
  {
    measure: 'val_accuracy',
    title: 'Validation accuracy',
    caption: 'by seconds of training, logarithmic',
    yMin: 0,
    yMax: 1,
  },
];

function Curve({ comparison, job, ...chart }: { comparison: Comparison; job: Job } & (typeof MEASURES)[0]) {
  const buffer = useMemo(() => {
    const made = new SeriesBuffer();
    made.add(curvePoints(comparison, chart.measure));
    return made;
  }, [comparison, chart.measure]);
  const series = useMemo(() => looks(comparison), [comparison]);
  return (
    <ChartCard
      title={chart.title}
      caption={chart.caption}
      label={`${chart.title} of ${job.name} by system`}
      buffer={buffer}
      series={series}
      xLabel="seconds"
      continuous
      yMin={chart.yMin}
      yMax={chart.yMax}
      waiting="No system ran"
    />
  );
}

type Figures = NonNullable<ComparedRun['figures']>;

/** "4.6× slower": how many times more of what is bad, or less of it. */
function comparedTo(ratio: number, worse: string, better: string): string {
  const [times, word] = ratio >= 1 ? [ratio, worse] : [1 / ratio, better];
  return times < 1.05 ? 'about the same' : `${number(times, times < 10 ? 2 : 3)}× ${word}`;
}

function Bars(props: {
  comparison: Comparison;
  job: Job;
  title: string;
  caption: string;
  value: (figures: Figures) => number;
  text: (figures: Figures) => string;
  /** What a figure is as a multiple of Asterism's. */
  note: (ratio: number) => string;
}) {
  const { comparison } = props;
  const bars = measured(comparison).map((run) => {
    const ratio = ratioTo(comparison, run, props.value);
    return {
      id: run.system,
      label: SYSTEMS[run.system].label,
      value: props.value(run.figures!),
      text: props.text(run.figures!),
      note: ratio === null || run.system === 'asterism' ? '' : props.note(ratio),
      color: SYSTEMS[run.system].color,
      strong: run.system === 'asterism',
    };
  });
  const card = useRef<HTMLElement>(null);
  return (
    <section className="card" ref={card}>
      <div className="card-head">
        <h2>{props.title}</h2>
        <span className="caption">{props.caption}</span>
        <span className="push" data-export="no">
          <ExportMenu
            title={props.title}
            file={`${props.job.name} ${props.title}`}
            target={card}
            table={() => ({ head: ['system', props.caption], rows: bars.map((bar) => [bar.id, bar.value]) })}
          />
        </span>
      </div>
      <BarList bars={bars} label={`${props.title} by system`} />
    </section>
  );
}

function Left({ comparison }: { comparison: Comparison }) {
  const notes = comparison.runs.filter((run) => run.figures === null);
  if (notes.length === 0) return null;
  return (
    <Note tone="warn">
      {notes.map((run) => (
        <div key={run.system}>{run.note}.</div>
      ))}
    </Note>
  );
}

function CompareView({ comparison, job }: { comparison: Comparison; job: Job }) {
  const threads = `${comparison.threads} ${comparison.threads === 1 ? 'thread' : 'threads'}`;
  return (
    <>
      <Left comparison={comparison} />
      <div className="chart-grid">
        {MEASURES.map((chart) => (
          <Curve key={chart.measure} comparison={comparison} job={job} {...chart} />
        ))}
      </div>
      <div className="chart-grid">
        <Bars
          comparison={comparison}
          job={job}
          title="Throughput"
          caption="epochs a second, more is better"
          value={(f) => f.epochs_per_s}
          text={(f) => `${number(f.epochs_per_s, 3)} /s`}
          note={(ratio) => comparedTo(1 / ratio, 'slower', 'faster')}
        />
        <Bars
          comparison={comparison}
          job={job}
          title="Peak memory"
          caption="over the loaded data, less is better"
          value={(f) => f.peak_memory_bytes}
          text={(f) => bytes(f.peak_memory_bytes)}
          note={(ratio) => comparedTo(ratio, 'more', 'less')}
        />
      </div>
      <CompareTable comparison={comparison} job={job} />
      <p className="caption">
        Each system trained the same {comparison.epochs} epochs from the same weights on {threads}, in a
        process of its own, a few epochs each in turn. Dropout is drawn by each in its own way; DGL and PyG
        read features dense. Setting up (graph formats, kernels, a first forward pass) and the first epoch are
        given apart; throughput is of the median of the other epochs. Scores before training differ by no more
        than the table says.{' '}
        {typedOf(job) && 'DGL and PyG give all vertices rows, Asterism those that are asked for.'}
      </p>
    </>
  );
}

const WHERE = { passes_off: 'with every pass off', dgl: 'in DGL', pyg: 'in PyG' };

/** What is trained again when the job's own training is done. */
function plannedWords(job: Job): string[] {
  const { compare, pass_study: study } = specOf(job.spec as unknown as AnyRecord);
  return [...(compare ?? []).map((c) => WHERE[c]), ...(study ? ['with each pass off by itself'] : [])];
}

/** What is said while there is nothing to see. */
export function waitingWords(job: Job): { title: string; text: string } {
  const planned = plannedWords(job);
  if (planned.length === 0)
    return {
      title: 'Nothing to compare with',
      text: 'A job can train the same model again in DGL and in PyG, and with passes of the compiler off. Tick them in the train sheet.',
    };
  if (isFinished(job.state))
    return { title: 'No comparison', text: 'The job ended before anything was compared.' };
  const unit = job.progress?.unit ?? '';
  if (unit.startsWith('epochs of '))
    return {
      title: `Training in ${unit.slice('epochs of '.length)}`,
      text: `Epoch ${job.progress!.done} of ${job.progress!.total ?? 0}; what is compared trains in turn.`,
    };
  return {
    title: 'Ready after training',
    text: `When this job is trained, it trains again ${planned.join(', ')}.`,
  };
}

export function CompareTab({ job }: { job: Job }) {
  const result = comparedOf(job);
  const { comparison, pass_study: study } = result ?? {};
  if (comparison || study)
    return (
      <>
        {comparison && <CompareView comparison={comparison} job={job} />}
        {study && <PassStudyCards study={study} job={job} />}
      </>
    );
  const { title, text } = waitingWords(job);
  return (
    <Empty
      icon={IconScale}
      title={title}
      action={
        isFinished(job.state) && (
          <Link className="btn" to="/jobs/new" search={{ kind: job.kind, from: job.id }}>
            Clone and compare
          </Link>
        )
      }
    >
      {text}
    </Empty>
  );
}
