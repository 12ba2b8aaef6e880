import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconFiles from '@tabler/icons-react/icons/IconFiles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, unwrap } from '@/api/client';
import { useTopic } from '@/api/events';
import { isFinished } from '@/api/job-events';
import type { Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, clock } from '@/ui/format';
import { Empty, ErrorState, Loading } from '@/ui/states';
import { TableScroll } from '@/ui/table-scroll';
import { ProfileFlame } from './profile-flame';

const FLAME = 'application/vnd.speedscope+json';

function artifactsQuery(id: string) {
  return {
    queryKey: ['job-artifacts', id] as const,
    queryFn: async () =>
      (await unwrap(api().GET('/api/v1/jobs/{job_id}/artifacts', { params: { path: { job_id: id } } })))
        .items,
  };
}

export function ArtifactsTab({ job }: { job: Job }) {
  const client = useQueryClient();
  const options = artifactsQuery(job.id);
  const query = useQuery(options);
  const card = useRef<HTMLElement>(null);
  useTopic(`job:${job.id}`, job.last_event_id, (event) => {
    if (event.type === 'job.artifact' || event.type === 'resync') void client.invalidateQueries(options);
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  if (query.data.length === 0) {
    return (
      <Empty icon={IconFiles} title={isFinished(job.state) ? 'The job left no files' : 'No files yet'}>
        Weights, predictions and generated sources appear here as the job writes them.
      </Empty>
    );
  }
  return (
    <>
      {query.data.some((file) => file.media_type === FLAME) && <ProfileFlame job={job} />}
      <section className="card clip" ref={card}>
        <div className="card-head">
          <h2>Files</h2>
          <span className="push" data-export="no">
            <ExportMenu title="Files" file={`${job.name} files`} target={card} />
          </span>
        </div>
        <TableScroll label="Files of the job">
          <table className="table">
            <thead>
              <tr>
                <th>File</th>
                <th className="desk-only">Type</th>
                <th className="num">Size</th>
                <th className="desk-only">Written</th>
                <th data-export="no">
                  <span className="visually-hidden">Download</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((file) => (
                <tr key={file.name}>
                  <td className="mono">{file.name}</td>
                  <td className="text-2 desk-only">{file.media_type}</td>
                  <td className="num" data-value={file.size_bytes}>
                    {bytes(file.size_bytes)}
                  </td>
                  <td className="text-2 desk-only" data-value={file.created_at}>
                    {clock(file.created_at)}
                  </td>
                  <td className="num">
                    <a className="btn small ghost" href={file.href} download={file.name.split('/').at(-1)}>
                      <IconDownload size={14} />
                      Download
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      </section>
    </>
  );
}
