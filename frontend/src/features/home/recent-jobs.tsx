import IconListDetails from '@tabler/icons-react/icons/IconListDetails';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isMoving } from '@/api/job-events';
import { jobsQuery } from '@/api/jobs';
import { JobTable } from '@/ui/job/table';
import { Empty, ErrorState, Loading } from '@/ui/states';

const SHOWN = 7;

export function RecentJobs() {
  const query = useInfiniteQuery(jobsQuery({}, SHOWN));
  const jobs = query.data?.pages[0]?.items ?? [];
  const running = jobs.filter((job) => isMoving(job.state)).length;
  const queued = jobs.filter((job) => job.state === 'queued').length;
  return (
    <section className="card clip" aria-labelledby="recent-jobs">
      <div className="card-head">
        <h2 id="recent-jobs">Recent jobs</h2>
        {running > 0 && <span className="chip accent">{running} running</span>}
        {queued > 0 && <span className="chip">{queued} queued</span>}
        <span className="push">
          <Link to="/jobs">All jobs</Link>
        </span>
      </div>
      {query.isPending && <Loading rows={5} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && jobs.length === 0 && (
        <Empty icon={IconListDetails} title="No jobs yet">
          A job trains a model or imports a dataset. Train a template above and it appears here, live.
        </Empty>
      )}
      {jobs.length > 0 && <JobTable jobs={jobs.slice(0, SHOWN)} short />}
    </section>
  );
}
