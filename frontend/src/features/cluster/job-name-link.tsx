import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jobQuery } from '@/api/jobs';

/** A job by its name, of which queues and workers know but the id; until the name is there, the end of that. */
export function JobNameLink({ id }: { id: string }) {
  const { data } = useQuery(jobQuery(id, useQueryClient()));
  return (
    <Link className="job-name ellipsis" to="/jobs/$id" params={{ id }} title={id}>
      {data?.name || <span className="mono">{id.slice(-8)}</span>}
    </Link>
  );
}
