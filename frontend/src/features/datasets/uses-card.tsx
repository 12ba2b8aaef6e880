import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { age, count } from '@/ui/format';
import { Status } from '@/ui/status';
import { usesQuery } from './api';

/** Jobs that name the dataset. */
export function UsesCard({ id }: { id: string }) {
  const { data } = useQuery(usesQuery(id));
  return (
    <section className="card clip" aria-label="Used by">
      <div className="card-head">
        <h2>Used by</h2>
        {data && data.total > data.items.length && (
          <span className="caption">
            newest {data.items.length} of {count(data.total)}
          </span>
        )}
      </div>
      {data?.items.length === 0 && (
        <p className="card-body text-2">No job yet. “Train on this” starts the first.</p>
      )}
      {data && data.items.length > 0 && (
        <table className="table">
          <tbody>
            {data.items.slice(0, 8).map((use) => (
              <tr key={use.job_id}>
                <td className="ellipsis" style={{ maxWidth: 180 }}>
                  <Link to="/jobs/$id" params={{ id: use.job_id }}>
                    {use.name || use.kind}
                  </Link>
                </td>
                <td>
                  <Status state={use.state} />
                </td>
                <td className="num">{age(use.created_at, Date.now())}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
