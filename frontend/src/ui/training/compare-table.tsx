import { useRef } from 'react';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, number, percent, seconds, si } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import { COLUMNS, type ComparedRun, type Comparison, ratioTo, SYSTEMS, tableRows } from './compare-model';

function times(ratio: number | null): string {
  return ratio === null ? '–' : `${number(ratio, 3)}×`;
}

function Row({ run, comparison }: { run: ComparedRun; comparison: Comparison }) {
  const f = run.figures;
  const name = (
    <th scope="row" className="compare-name">
      <span className="legend-square" style={{ ['--mark' as string]: `var(${SYSTEMS[run.system].color})` }}>
        {SYSTEMS[run.system].label}
      </span>{' '}
      <span className="caption">{run.version}</span>
    </th>
  );
  if (!f)
    return (
      <tr>
        {name}
        <td colSpan={10} className="text-3">
          {run.note}
        </td>
      </tr>
    );
  return (
    <tr>
      {name}
      <td className="num">{seconds(f.setup_s)}</td>
      <td className="num">{seconds(f.first_epoch_s)}</td>
      <td className="num">{seconds(f.epoch_s)}</td>
      <td className="num">{times(ratioTo(comparison, run, (x) => x.epoch_s))}</td>
      <td className="num">{number(f.epochs_per_s, 3)}</td>
      <td className="num">{si(f.edges_per_s)}</td>
      <td className="num">{bytes(f.peak_memory_bytes)}</td>
      <td className="num">{times(ratioTo(comparison, run, (x) => x.peak_memory_bytes))}</td>
      <td className="num">{percent(f.test_accuracy)}</td>
      <td className="num">{f.difference === null ? '–' : number(f.difference, 2)}</td>
    </tr>
  );
}

/** Every figure of a comparison, with a file of it. */
export function CompareTable({ comparison, job }: { comparison: Comparison; job: Job }) {
  const card = useRef<HTMLElement>(null);
  return (
    <section className="card clip" ref={card}>
      <div className="card-head">
        <h2>Figures</h2>
        <span className="caption">× is of Asterism's</span>
        <span className="push">
          <ExportMenu
            title="Figures"
            file={`${job.name} comparison`}
            target={card}
            table={() => ({ head: COLUMNS, rows: tableRows(comparison) })}
          />
        </span>
      </div>
      <TableScroll label="Figures of the comparison">
        <table className="table">
          <thead>
            <tr>
              <th>System</th>
              <th className="num">Set-up</th>
              <th className="num">First epoch</th>
              <th className="num">Epoch</th>
              <th className="num">×</th>
              <th className="num">Epochs/s</th>
              <th className="num">Edges/s</th>
              <th className="num">Peak memory</th>
              <th className="num">×</th>
              <th className="num" title="With the weights of the last epoch">
                Test accuracy
              </th>
              <th className="num" title="Largest difference of the scores from Asterism's before training">
                Difference
              </th>
            </tr>
          </thead>
          <tbody>
            {comparison.runs.map((run) => (
              <Row key={run.system} run={run} comparison={comparison} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
