import { isFinished } from '@/api/job-events';
import type { Job, JobProgress } from '@/api/types';
import { count, duration } from '@/ui/format';

/** Done of total between 0 and 1; null while the total is unknown. */
export function share(progress: JobProgress | null): number | null {
  if (!progress?.total) return null;
  return Math.min(1, progress.done / progress.total);
}

export function eta(progress: JobProgress): string {
  if (progress.total === null) return '';
  return progress.eta_s === null ? 'estimating' : `${duration(progress.eta_s)} left`;
}

function runningWords(progress: JobProgress | null): string {
  if (!progress) return 'Waiting for the first step';
  const total = progress.total === null ? '' : ` / ${count(progress.total)}`;
  const words = [`${count(progress.done)}${total} ${progress.unit}`, eta(progress)];
  return words.filter(Boolean).join(' · ');
}

function finishedWords(job: Job): string {
  const spent =
    job.started_at && job.finished_at
      ? ` in ${duration((Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000)}`
      : '';
  const done = job.progress ? `${count(job.progress.done)} ${job.progress.unit}` : 'Done';
  return `${done}${spent}`;
}

/** Where a job stands, in one short line. A job that waits says for what. */
export function standing(job: Job): string {
  if (job.state === 'succeeded') return finishedWords(job);
  if (isFinished(job.state)) return job.state_reason || 'No reason was given';
  if (job.state === 'queued') return job.state_reason || `Waits for a free ${job.device.toUpperCase()} slot`;
  if (job.state === 'starting') return job.state_reason || 'The worker is starting it';
  if (job.state === 'cancelling') return 'Stopping';
  return runningWords(job.progress);
}

/** A bar while the job runs; moving to and fro while the total is unknown. */
export function ProgressMeter({ job, thin = false }: { job: Job; thin?: boolean }) {
  const part = share(job.progress);
  const unknown = part === null && job.state !== 'queued';
  const classes = ['meter', thin ? 'thin' : '', unknown ? 'unknown' : ''].filter(Boolean).join(' ');
  const percent = part === null ? undefined : Math.round(part * 100);
  return (
    <div
      className={classes}
      role="progressbar"
      aria-label={`Progress of ${job.name}`}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={part === null ? undefined : { width: `${part * 100}%` }} />
    </div>
  );
}

export function showsMeter(job: Job): boolean {
  return job.state === 'running' || job.state === 'starting' || job.state === 'cancelling';
}
