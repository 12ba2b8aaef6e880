import { useNavigate } from '@tanstack/react-router';
import { isFinished } from '@/api/job-events';
import { useJobLogs } from '@/api/job-logs';
import type { LogBuffer } from '@/api/log-buffer';
import type { Job } from '@/api/types';
import { count } from '@/ui/format';
import { LogView } from '@/ui/log-view';
import { ErrorState } from '@/ui/states';
import { jobPage } from './route';

export function emptyLog(job: Job, loading: boolean): string {
  if (loading) return 'Loading the lines so far.';
  return isFinished(job.state) ? 'The job wrote no line.' : 'No line yet.';
}

/** Says how many lines are not shown, and why. */
export function missingLines({ dropped, forgotten }: LogBuffer): string | undefined {
  const parts = [
    dropped > 0 ? `${count(dropped)} lines came too fast to be stored` : '',
    forgotten > 0 ? `the oldest ${count(forgotten)} lines are not held in this tab` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join('; ')}.` : undefined;
}

export function LogsTab({ job }: { job: Job }) {
  const logs = useJobLogs(job.id);
  const navigate = useNavigate();
  const { q = '', tab } = jobPage.useSearch();
  const search = (text: string) =>
    void navigate({
      to: '/jobs/$id',
      params: { id: job.id },
      search: { tab, q: text || undefined },
      replace: true,
    });
  if (logs.error) return <ErrorState error={logs.error} />;
  return (
    <LogView
      lines={logs.buffer.lines}
      version={logs.buffer.version}
      empty={emptyLog(job, logs.loading)}
      missing={missingLines(logs.buffer)}
      query={q}
      onQuery={search}
      height="max(320px, calc(100dvh - 260px))"
    />
  );
}
