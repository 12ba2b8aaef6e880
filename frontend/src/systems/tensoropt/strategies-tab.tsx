import './strategies.css';
import IconChartDots from '@tabler/icons-react/icons/IconChartDots';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isFinished } from '@/api/job-events';
import { jobQuery } from '@/api/jobs';
import type { Job } from '@/api/types';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { planRunBy } from './runs';
import { StrategiesView } from './strategies-view';
import { plannedOf, specOf } from './types';

/** The strategies that a job planned; of a run, those of the job that planned it. */
export function StrategiesTab({ job }: { job: Job }) {
  const task = specOf(job.spec).task;
  if (task?.type === 'run') return <OfRun job={job} plan={task.plan ?? ''} />;
  const planned = plannedOf(job);
  if (planned) return <StrategiesView job={job} planned={planned} page={job.id} first={undefined} />;
  return (
    <Empty
      icon={IconChartDots}
      title={isFinished(job.state) ? 'No strategies' : 'Ready when the search ends'}
    >
      {isFinished(job.state)
        ? 'The job ended before its strategies were found.'
        : 'Every number of devices has its frontier: the strategies that no other beats in memory and time.'}
    </Empty>
  );
}

function OfRun({ job, plan }: { job: Job; plan: string }) {
  const query = useQuery({ ...jobQuery(plan, useQueryClient()), enabled: plan !== '' });
  if (plan === '')
    return (
      <Empty icon={IconChartDots} title="No plan">
        This run was started with a strategy, but without the job that planned it.
      </Empty>
    );
  if (query.isPending) return <Loading rows={6} label="Loading the plan" />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  const planned = plannedOf(query.data);
  if (!planned) return <Empty icon={IconChartDots} title="The job that it names planned nothing" />;
  return <StrategiesView job={query.data} planned={planned} page={job.id} first={planRunBy(job)} />;
}
