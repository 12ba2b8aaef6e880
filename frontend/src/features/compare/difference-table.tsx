import { Switch, TextInput } from '@mantine/core';
import { memo, useRef, useState } from 'react';
import { LineMark } from '@/ui/charts/legend';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { count } from '@/ui/format';
import { awayFrom, type ComparedRow, type Comparison, type Run, said, titlesOf } from './runs';
import type { Compare } from './use-compare';

const SHORT = 60;
const SECTIONS: Record<ComparedRow['section'], string> = {
  setting: 'Setting',
  label: 'Label',
  result: 'Result',
  metric: 'Newest value',
};
const ORDER = Object.keys(SECTIONS);

/** Rows between the runs in view: what differs among them, or all; by section and with a text. */
export function rowsIn(
  rows: readonly ComparedRow[],
  runs: readonly Run[],
  { all, find }: { all: boolean; find: string },
): ComparedRow[] {
  const text = find.toLowerCase();
  const differs = (row: ComparedRow) => new Set(runs.map((run) => row.values[run.column])).size > 1;
  return rows
    .filter((row) => row.path.toLowerCase().includes(text) && (all || differs(row)))
    .sort((a, b) => ORDER.indexOf(a.section) - ORDER.indexOf(b.section));
}

function tableOf(rows: readonly ComparedRow[], runs: readonly Run[]): TableData {
  return {
    head: ['section', 'name', ...runs.map((run) => `${run.job.name} (${run.job.id})`)],
    rows: rows.map((row) => [
      row.section,
      row.path,
      ...runs.map((run) => {
        const value = row.values[run.column] ?? null;
        return typeof value === 'boolean' ? String(value) : value;
      }),
    ]),
  };
}

const Row = memo(function Row({ row, runs }: { row: ComparedRow; runs: readonly Run[] }) {
  const base = runs.find((run) => run.isBase);
  const numbers = row.values.some((value) => typeof value === 'number');
  return (
    <tr>
      <th scope="row" className="row-head">
        <span className="caption">{SECTIONS[row.section]}</span>
        <span className="mono">{row.path}</span>
      </th>
      {runs.map((run) => {
        const value = row.values[run.column] ?? null;
        const away = base && base !== run ? awayFrom(value, row.values[base.column] ?? null) : '';
        return (
          <td key={run.job.id} className={numbers ? 'num' : ''} title={String(value ?? '')}>
            {said(value)}
            {away && <small className="caption"> {away}</small>}
          </td>
        );
      })}
    </tr>
  );
});

/** Settings, labels, results and newest values side by side. */
export function DifferenceTable({
  comparison,
  runs,
  compare,
}: {
  comparison: Comparison;
  runs: readonly Run[];
  compare: Compare;
}) {
  const { search, change } = compare;
  const [long, setLong] = useState(false);
  const card = useRef<HTMLElement>(null);
  const rows = rowsIn(comparison.rows, runs, { all: search.rows === 'all', find: search.find ?? '' });
  const shown = long ? rows : rows.slice(0, SHORT);
  const titles = titlesOf(runs);
  const cut = comparison.total_rows - comparison.rows.length;
  return (
    <section className="card clip" ref={card}>
      <div className="card-head wrap">
        <h2>{search.rows === 'all' ? 'Settings and results' : 'What differs'}</h2>
        <span className="caption">
          {count(rows.length)} rows{cut > 0 && `; ${count(cut)} more that do not differ are left out`}
        </span>
        <span className="push" data-export="no">
          <TextInput
            aria-label="Find a row"
            placeholder="Find a row"
            value={search.find ?? ''}
            onChange={(event) => change({ find: event.currentTarget.value || undefined }, true)}
            w={140}
          />
          <Switch
            size="xs"
            label="All rows"
            checked={search.rows === 'all'}
            onChange={(event) => change({ rows: event.currentTarget.checked ? 'all' : undefined }, true)}
          />
          <ExportMenu title="Differences" target={card} table={() => tableOf(rows, runs)} />
        </span>
      </div>
      {rows.length === 0 && (
        <p className="caption card-body">
          {runs.length < 2 ? 'One run does not differ from itself.' : 'No row differs.'}
        </p>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className="table-scroll" tabIndex={0} aria-label="Settings and results of the runs">
          <table className="table differences">
            <thead>
              <tr>
                <th className="row-head">Name</th>
                {runs.map((run) => (
                  <th key={run.job.id} title={`${run.job.name} ${run.job.id}`}>
                    <LineMark look={run.look} /> {titles.get(run.job.id)}
                    {run.isBase && <span className="chip">baseline</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={`${row.section}:${row.path}`} row={row} runs={runs} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {shown.length < rows.length && (
        <button type="button" className="btn ghost small kernel-more" onClick={() => setLong(true)}>
          Show all {count(rows.length)} rows
        </button>
      )}
    </section>
  );
}
