import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { AnyRecord, Job } from '@/api/types';
import { ExportMenu } from '@/ui/export/export-menu';
import { count, plural } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import { NodeLink } from './kernel-panel';
import { launchesOf } from './profile-model';
import { type Profile, specOf, typedOf } from './types';

/** How many kernels and products one epoch starts, by layer; over relations as many whatever their number. */
export function LaunchesCard({ profile, job }: { profile: Profile; job: Job }) {
  const rows = launchesOf(profile);
  const typed = typedOf(job);
  const { model_ref } = specOf(job.spec as unknown as AnyRecord);
  const card = useRef<HTMLElement>(null);
  if (rows.length === 0) return null;
  const sum = (phase: 'forward' | 'backward') => rows.reduce((total, row) => total + row[phase], 0);
  return (
    <section className="card clip" ref={card} aria-label="Launches of one epoch">
      <div className="card-head wrap">
        <h2>Launches of one epoch</h2>
        {typed && (
          <span className="caption">
            all {plural(typed.relations, 'relation')} at once
            {model_ref && (
              <>
                :{' '}
                <Link
                  to="/models/$id"
                  params={{ id: model_ref.model_id }}
                  search={{ dock: 'stitch', dataset: specOf(job.spec as unknown as AnyRecord).dataset }}
                >
                  what stitching saves
                </Link>
              </>
            )}
          </span>
        )}
        <span className="push" data-export="no">
          <ExportMenu title="Launches of one epoch" target={card} />
        </span>
      </div>
      <TableScroll label="Launches of one epoch">
        <table className="table">
          <thead>
            <tr>
              <th>Layer</th>
              <th className="num">Kernels</th>
              <th className="num">Products</th>
              <th className="num">Forward</th>
              <th className="num">Backward</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.node_id}>
                <td>
                  <NodeLink kernel={{ node_id: row.node_id, phase: 'forward' }} job={job} />
                </td>
                <td className="num">{count(row.kernels)}</td>
                <td className="num">{count(row.products)}</td>
                <td className="num">{count(row.forward)}</td>
                <td className="num">{count(row.backward)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All layers</th>
              <th className="num">{count(rows.reduce((total, row) => total + row.kernels, 0))}</th>
              <th className="num">{count(rows.reduce((total, row) => total + row.products, 0))}</th>
              <th className="num">{count(sum('forward'))}</th>
              <th className="num">{count(sum('backward'))}</th>
            </tr>
          </tfoot>
        </table>
      </TableScroll>
    </section>
  );
}
