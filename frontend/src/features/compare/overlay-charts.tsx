import { MultiSelect, Select } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { ChartCard } from '@/ui/charts/chart-card';
import { Legend } from '@/ui/charts/legend';
import { SeriesBuffer } from '@/ui/charts/series-buffer';
import type { SeriesLook } from '@/ui/charts/series-plot';
import { count, sentence } from '@/ui/format';
import { Empty, ErrorState, Note } from '@/ui/states';
import { useManySeries } from './api';
import type { LivePoints } from './live-points';
import { meanLine, overlay, type Series } from './overlay';
import { type Comparison, groupsOf, metricNames, type Run, titlesOf } from './runs';
import type { Compare } from './use-compare';

const SHOWN_AT_FIRST = 4;
const MOST_METRICS = 20;

interface Line {
  look: SeriesLook;
  /** Runs it stands for: one, or the mean of a group. */
  runs: readonly string[];
}

/** One line a run, or one a group with the look of its first run. */
function linesOf(comparison: Comparison, runs: readonly Run[], group: string | undefined): Line[] {
  const titles = titlesOf(runs);
  if (!group)
    return runs.map((run) => ({
      look: { key: run.job.id, label: titles.get(run.job.id)!, ...run.look, strong: run.isBase },
      runs: [run.job.id],
    }));
  const row = comparison.rows.find((r) => `${r.section}:${r.path}` === group);
  const name = row?.path.split('.').at(-1) ?? '';
  return [...groupsOf(runs, row)].map(([value, members]) => ({
    look: {
      key: value || 'all',
      label: `${name} ${value}, mean of ${members.length}`,
      ...members[0]!.look,
      strong: members.some((run) => run.isBase),
    },
    runs: members.map((run) => run.job.id),
  }));
}

function Chart(props: { name: string; series: readonly Series[]; lines: readonly Line[]; loading: boolean }) {
  const { name, series, lines } = props;
  const buffer = useMemo(() => new SeriesBuffer(), [name]);
  useEffect(() => {
    const own = new Map(series.filter((s) => s.name === name).map((s) => [s.job_id, s]));
    const drawn = lines.flatMap((line) => {
      const found = line.runs.flatMap((id) => own.get(id) ?? []);
      if (found.length === 0) return [];
      return [[line.look.key, found.length === 1 ? found[0]! : meanLine(found)] as const];
    });
    const { steps, columns } = overlay(new Map(drawn));
    buffer.replace(steps, columns);
  }, [buffer, name, series, lines]);
  const looks = useMemo(() => lines.map((line) => line.look), [lines]);
  return (
    <ChartCard
      id={name}
      title={sentence(name)}
      caption={name}
      label={`${sentence(name)} of ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`}
      buffer={buffer}
      series={looks}
      legend={false}
      waiting={props.loading ? 'Loading the points' : 'None of these runs has a point of it'}
    />
  );
}

function ThinnedNote({ series }: { series: readonly Series[] }) {
  const shown = series.reduce((sum, s) => sum + s.steps.length, 0);
  const all = series.reduce((sum, s) => sum + s.total, 0);
  if (shown >= all) return null;
  return (
    <Note tone="warn" role="status">
      Showing {count(shown)} of {count(all)} points; peaks and dips are kept.
    </Note>
  );
}

function Choices({
  comparison,
  names,
  chosen,
  compare,
}: {
  comparison: Comparison;
  names: readonly string[];
  chosen: readonly string[];
  compare: Compare;
}) {
  const { search, change } = compare;
  const groups = comparison.rows
    .filter((row) => row.differs && (row.section === 'setting' || row.section === 'label'))
    .map((row) => ({ value: `${row.section}:${row.path}`, label: row.path }));
  return (
    <div className="row wrap compare-choices">
      <MultiSelect
        aria-label="Series to draw"
        placeholder={chosen.length === 0 ? 'Series' : undefined}
        data={[...names]}
        value={[...chosen]}
        maxValues={MOST_METRICS}
        searchable
        limit={100}
        onChange={(next) => change({ metrics: next.join(',') || undefined })}
      />
      <Select
        aria-label="One line for equal values of"
        placeholder="One line a run"
        data={groups}
        value={search.group ?? null}
        clearable
        searchable
        limit={100}
        onChange={(group) => change({ group: group ?? undefined })}
        w={220}
      />
    </div>
  );
}

/** A chart for each chosen series, with every run's line in it. */
export function OverlayCharts({
  comparison,
  runs,
  compare,
  live,
}: {
  comparison: Comparison;
  runs: readonly Run[];
  compare: Compare;
  live: LivePoints;
}) {
  const { search, ids } = compare;
  const names = useMemo(() => metricNames(comparison), [comparison]);
  const chosen = search.metrics?.split(',').filter(Boolean) ?? names.slice(0, SHOWN_AT_FIRST);
  const query = useManySeries(ids, chosen, live);
  const lines = useMemo(() => linesOf(comparison, runs, search.group), [comparison, runs, search.group]);
  const { series } = query;
  return (
    <>
      <Choices comparison={comparison} names={names} chosen={chosen} compare={compare} />
      {search.group && <Legend title="all charts" series={lines.map((line) => line.look)} hidden={[]} />}
      <ThinnedNote series={series} />
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {names.length === 0 && <Empty title="No series yet">None of these runs has reported a point.</Empty>}
      <div className="chart-grid">
        {chosen.map((name) => (
          <Chart key={name} name={name} series={series} lines={lines} loading={query.isPending} />
        ))}
      </div>
    </>
  );
}
