import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, unwrap } from '@/api/client';
import { useTopic } from '@/api/events';
import type { Job, Schemas } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { clock, count } from '@/ui/format';
import { ErrorState, Loading } from '@/ui/states';
import { TableScroll } from '@/ui/table-scroll';

const PAGE = 200;

function useJobEvents(job: Job) {
  const client = useQueryClient();
  const queryKey = ['job-events', job.id] as const;
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) =>
      (await unwrap(
        api().GET('/api/v1/jobs/{job_id}/events', {
          params: { path: { job_id: job.id }, query: { after_id: pageParam, limit: PAGE } },
          headers: { Accept: 'application/json' },
        }),
      )) as Schemas['JobEventList'],
    initialPageParam: 0,
    getNextPageParam: (page) => (page.more ? page.next_after_id : undefined),
  });
  const last = useRef(0);
  useTopic(`job:${job.id}`, job.last_event_id, () => {
    const now = Date.now();
    if (now - last.current < 1000 || query.hasNextPage) return;
    last.current = now;
    void client.invalidateQueries({ queryKey });
  });
  return query;
}

/** Everything that happened to the job, as it was journaled. */
export function EventsTab({ job }: { job: Job }) {
  const query = useJobEvents(job);
  const card = useRef<HTMLElement>(null);
  if (query.isPending) return <Loading rows={6} />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  const events = query.data.pages.flatMap((page) => page.items);
  return (
    <section className="card clip" ref={card}>
      <div className="card-head">
        <h2>Events</h2>
        {query.hasNextPage && <span className="caption">the first {count(events.length)}</span>}
        <span className="push" data-export="no">
          <ExportMenu
            title="Events"
            file={`${job.name} events`}
            target={card}
            table={() => ({
              head: ['id', 'at', 'type', 'attempt', 'body'],
              rows: events.map((e) => [e.id, e.at, e.type, e.attempt, JSON.stringify(e.body)]),
            })}
          />
        </span>
      </div>
      <TableScroll label="Events of the job">
        <table className="table">
          <thead>
            <tr>
              <th className="num">Id</th>
              <th>Time</th>
              <th>Type</th>
              <th>Attempt</th>
              <th>Content</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.id}>
                <td className="num">{event.id}</td>
                <td className="mono text-2">{clock(event.at, true)}</td>
                <td>{event.type}</td>
                <td>{event.attempt}</td>
                <td className="mono event-body" title={JSON.stringify(event.body, null, 2).slice(0, 4000)}>
                  {JSON.stringify(event.body).slice(0, 400)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {query.hasNextPage && (
        <div className="jobs-more">
          <button
            type="button"
            className="btn"
            onClick={() => query.fetchNextPage()}
            disabled={query.isFetching}
          >
            Show later events
          </button>
        </div>
      )}
    </section>
  );
}
