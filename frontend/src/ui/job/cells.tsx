import './cells.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { systemsQuery } from '@/api/catalog';
import { useTrend } from '@/api/job-trends';
import type { AnyRecord, Job } from '@/api/types';
import { Sparkline } from '@/ui/charts/spark-line';
import { useSeen } from '@/ui/charts/use-seen';
import { age, duration, number, sentence, words } from '@/ui/format';
import { useSystemPage } from '@/ui/system-page';
import { ProgressMeter, showsMeter, standing } from './progress';

export function JobLink({ job }: { job: Job }) {
  return (
    <Link className="job-link ellipsis" to="/jobs/$id" params={{ id: job.id }} title={job.name}>
      {job.name}
    </Link>
  );
}

/** The kind by its system's title. */
export function KindCell({ job }: { job: Job }) {
  const { data: systems } = useQuery(systemsQuery);
  const title = systems?.find((system) => system.kind === job.kind)?.title;
  return <span className="text-2">{title ?? sentence(job.kind)}</span>;
}

export function ProgressCell({ job }: { job: Job }) {
  const text = standing(job);
  return (
    <div className="progress-cell">
      {showsMeter(job) && <ProgressMeter job={job} thin />}
      <span className="caption ellipsis" title={text}>
        {text}
      </span>
    </div>
  );
}

/** The series that stands for the job: the kind's choice, or the first one it reported. */
export function useKeySeries(job: Job): { key: string; label: string } {
  const chosen = useSystemPage(job.kind).keySeries?.(job.spec as unknown as AnyRecord);
  const first = Object.keys(job.latest_metrics)[0] ?? '';
  return chosen ?? { key: first, label: words(first) };
}

export function TrendCell({ job }: { job: Job }) {
  const { key, label } = useKeySeries(job);
  const place = useRef<HTMLSpanElement>(null);
  const seen = useSeen(place);
  const values = useTrend(job, key, seen);
  if (job.state === 'queued') return <span className="caption">waiting to start</span>;
  return (
    <span ref={place} className="trend">
      {seen && <Sparkline values={values} label={`${label} of ${job.name}`} />}
    </span>
  );
}

export function LatestCell({ job }: { job: Job }) {
  const { key, label } = useKeySeries(job);
  if (!(key in job.latest_metrics)) return <span className="caption">–</span>;
  return (
    <span className="latest">
      <span className="caption">{label}</span>{' '}
      <span className="mono">{number(job.latest_metrics[key], 3)}</span>
    </span>
  );
}

export function AgeCell({ job, now }: { job: Job; now: number }) {
  return (
    <time dateTime={job.created_at} title={new Date(job.created_at).toLocaleString()} className="text-2">
      {age(job.created_at, now)}
    </time>
  );
}

/** How long the job ran, or runs. */
export function DurationCell({ job, now }: { job: Job; now: number }) {
  if (!job.started_at) return <span className="caption">–</span>;
  const end = job.finished_at ? Date.parse(job.finished_at) : now;
  return <span className="text-2">{duration((end - Date.parse(job.started_at)) / 1000)}</span>;
}

export function LabelsCell({ job }: { job: Job }) {
  return (
    <span className="row tight">
      {Object.entries(job.labels).map(([key, value]) => (
        <span key={key} className="chip" title={`${key}=${value}`}>
          {key}={value}
        </span>
      ))}
    </span>
  );
}

/** What the kind finds worth saying about the spec. */
export function useChips(job: Job): readonly string[] {
  const page = useSystemPage(job.kind);
  return page.chips?.(job.spec as unknown as AnyRecord) ?? [];
}
