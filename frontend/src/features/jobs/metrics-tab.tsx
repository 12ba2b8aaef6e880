import { isFinished } from '@/api/job-events';
import type { JobSeries } from '@/api/job-series';
import { useJobSeries } from '@/api/job-series';
import type { Job } from '@/api/types';
import { ChartCard } from '@/ui/charts/chart-card';
import { count } from '@/ui/format';
import { Empty, Note } from '@/ui/states';
import type { ChartSpec } from '@/ui/system-page';
import { stepName, useCharts, waitingText } from './charts';

/** A chart of the job's series; the x axis reaches to the end of the job while that is known. */
export function JobChart(props: { job: Job; series: JobSeries; chart: ChartSpec; height?: number }) {
  const { job, series, chart } = props;
  return (
    <ChartCard
      title={chart.title}
      caption={`${chart.caption} by ${stepName(job)}${known(series)}`}
      label={`${chart.title} of ${job.name}`}
      buffer={series.buffer}
      series={chart.series}
      xLabel={stepName(job)}
      xMax={isFinished(job.state) ? null : (job.progress?.total ?? null)}
      yMin={chart.yMin}
      yMax={chart.yMax}
      height={props.height}
      waiting={waitingText(job, series.loading)}
    />
  );
}

/** While the points come: how many of them are drawn so far. */
function known({ more, buffer, thinned }: JobSeries): string {
  return more ? `, ${count(buffer.length)} of ${count(buffer.length + thinned)} points so far` : '';
}

/** Says when the curves show fewer points than there are. */
export function ThinnedNote({ series }: { series: JobSeries }) {
  const { length, dropped } = series.buffer;
  if (series.more || series.thinned + dropped <= 0) return null;
  return (
    <Note tone="warn" role="status">
      Showing {count(length)} of {count(length + series.thinned + dropped)} points, evenly spread.
    </Note>
  );
}

export function MetricsTab({ job }: { job: Job }) {
  const series = useJobSeries(job, 10_000);
  const { main, rest } = useCharts(job, series);
  const charts = [...main, ...rest];
  if (series.error)
    return <Note tone="err">The points could not be loaded. They are tried again on reload.</Note>;
  if (charts.length === 0) {
    return <Empty title="No series yet">{waitingText(job, series.loading)}.</Empty>;
  }
  return (
    <>
      <ThinnedNote series={series} />
      <div className="chart-grid">
        {charts.map((chart) => (
          <JobChart key={chart.title} job={job} series={series} chart={chart} />
        ))}
      </div>
    </>
  );
}
