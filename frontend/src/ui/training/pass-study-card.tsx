import { useRef } from 'react';
import type { Job } from '@/api/types';
import { BarList } from '@/ui/charts/bar-list';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, count, number, plural, seconds } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import {
  more,
  type PassRun,
  type PassStudy,
  passLabel,
  ranked,
  studyTable,
  usualOf,
  worth,
} from './pass-study-model';

function EpochBars({ study, job }: { study: PassStudy; job: Job }) {
  const card = useRef<HTMLElement>(null);
  const bars = ranked(study).map(({ off, figures }) => ({
    id: off,
    label: passLabel(off),
    value: figures!.epoch_s,
    text: seconds(figures!.epoch_s),
    note: off === '' ? '' : worth(study, figures!),
    color: off === '' ? '--c1' : '--c5',
    strong: off === '',
  }));
  return (
    <section className="card" ref={card}>
      <div className="card-head wrap">
        <h2>What each pass is worth</h2>
        <span className="caption">time of an epoch without it</span>
        <span className="push" data-export="no">
          <ExportMenu
            title="What each pass is worth"
            file={`${job.name} passes`}
            target={card}
            table={() => ({
              head: ['off', 'epoch_s'],
              rows: bars.map((bar) => [bar.id || 'none', bar.value]),
            })}
          />
        </span>
      </div>
      <div className="pass-bars">
        <BarList bars={bars} label="Time of an epoch by pass left out" />
      </div>
    </section>
  );
}

function Change({ text }: { text: string }) {
  return <span className="caption pass-change">{text}</span>;
}

function Row({ run, study }: { run: PassRun; study: PassStudy }) {
  const name = (
    <th scope="row" className="compare-name">
      {passLabel(run.off)}
    </th>
  );
  const { figures } = run;
  if (!figures)
    return (
      <tr>
        {name}
        <td colSpan={6} className="text-3">
          {run.changes ? run.note : 'changes nothing in this model'}
        </td>
      </tr>
    );
  const usual = usualOf(study) ?? undefined;
  return (
    <tr>
      {name}
      <td className="num">{seconds(figures.epoch_s)}</td>
      <td className="num">{run.off === '' ? '' : worth(study, figures)}</td>
      <td className="num">
        {bytes(figures.peak_memory_bytes)}
        <Change text={more(figures.peak_memory_bytes, usual?.peak_memory_bytes, bytes)} />
      </td>
      <td className="num">
        {count(figures.launches)}
        <Change text={more(figures.launches, usual?.launches, count)} />
      </td>
      <td className="num">
        {bytes(figures.kept_bytes)}
        <Change text={more(figures.kept_bytes, usual?.kept_bytes, bytes)} />
      </td>
      <td className="num">{run.off === '' ? '' : number(figures.loss_apart, 2)}</td>
    </tr>
  );
}

function PassTable({ study, job }: { study: PassStudy; job: Job }) {
  const card = useRef<HTMLElement>(null);
  return (
    <section className="card clip" ref={card}>
      <div className="card-head">
        <h2>Passes one by one</h2>
        <span className="caption ellipsis">small figures: more or less than with all passes on</span>
        <span className="push">
          <ExportMenu
            title="Passes one by one"
            file={`${job.name} passes one by one`}
            target={card}
            table={() => studyTable(study)}
          />
        </span>
      </div>
      <TableScroll label="Figures of each pass left out">
        <table className="table">
          <thead>
            <tr>
              <th>Left out</th>
              <th className="num">Epoch</th>
              <th className="num">Without it</th>
              <th className="num">Peak memory</th>
              <th className="num" title="Kernels started in an epoch">
                Kernels
              </th>
              <th className="num" title="Kept between forward and backward pass">
                Kept
              </th>
              <th className="num" title="Largest difference of a training loss, as a share of it">
                Loss apart
              </th>
            </tr>
          </thead>
          <tbody>
            {study.runs.map((run) => (
              <Row key={run.off} run={run} study={study} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

/** The model trained with one pass of the compiler off at a time: what each saves of time, memory and kernels. */
export function PassStudyCards({ study, job }: { study: PassStudy; job: Job }) {
  return (
    <>
      <EpochBars study={study} job={job} />
      <PassTable study={study} job={job} />
      <p className="caption">
        Each row trained {plural(study.epochs, 'epoch')} from the same weights on{' '}
        {plural(study.threads, 'thread')}, an epoch in turn with all passes on, in a process of its own; its
        memory was measured alone. Pairs that both had all passes on differ by {seconds(study.spread_s)} an
        epoch: less than that is noise. Passes without which the same kernels are generated were not run.
      </p>
    </>
  );
}
