import { useState } from 'react';
import { isFinished } from '@/api/job-events';
import { useJobLogs } from '@/api/job-logs';
import { useJobSeries } from '@/api/job-series';
import type { AnyRecord, Job } from '@/api/types';
import { LogView } from '@/ui/log-view';
import { RecordView } from '@/ui/record-view';
import { useSystemPage } from '@/ui/system-page';
import { useCharts } from './charts';
import { emptyLog, missingLines } from './logs-tab';
import { JobChart, ThinnedNote } from './metrics-tab';

const MOST_CHARTS = 4;

/** What every kind can show beside its charts: what came out and what was asked. */
function GenericAside({ job }: { job: Job }) {
  const result = job.result as AnyRecord | null;
  return (
    <>
      {result && (
        <section className="card">
          <div className="card-head">
            <h2>Result</h2>
          </div>
          <div className="card-body">
            <RecordView value={result} omit={['kind']} />
          </div>
        </section>
      )}
      <section className="card">
        <div className="card-head">
          <h2>Asked for</h2>
        </div>
        <div className="card-body">
          <RecordView value={job.spec as unknown as AnyRecord} omit={['kind', 'name']} />
        </div>
      </section>
    </>
  );
}

export function OverviewTab({ job }: { job: Job }) {
  const page = useSystemPage(job.kind);
  const series = useJobSeries(job);
  const logs = useJobLogs(job.id);
  const [query, setQuery] = useState('');
  const { main, rest } = useCharts(job, series);
  const charts = (main.length > 0 ? main.filter((chart) => !chart.detail) : rest).slice(0, MOST_CHARTS);
  const Aside = page.Aside ?? GenericAside;
  return (
    <div className="overview">
      <div className="overview-main">
        {charts.length > 0 && (
          <div className="chart-grid">
            {charts.map((chart) => (
              <JobChart key={chart.title} job={job} series={series} chart={chart} />
            ))}
          </div>
        )}
        <ThinnedNote series={series} />
        <LogView
          lines={logs.buffer.lines}
          version={logs.buffer.version}
          empty={emptyLog(job, logs.loading)}
          missing={missingLines(logs.buffer)}
          query={query}
          onQuery={setQuery}
          height={charts.length > 0 ? 320 : 480}
          whole={isFinished(job.state)}
        />
      </div>
      <aside className={page.Aside ? 'overview-aside figures-first' : 'overview-aside'} aria-label="Figures">
        <Aside job={job} />
      </aside>
    </div>
  );
}
