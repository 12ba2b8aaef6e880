import { useRef } from 'react';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, count } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import type { Profile } from './types';

const SHORT = 8;

/** What is kept between forward and backward, largest first. */
export function SavedTable({ profile }: { profile: Profile }) {
  const saved = profile.saved.filter((tensor) => !tensor.shared).sort((a, b) => b.bytes - a.bytes);
  const shared = profile.saved.length - saved.length;
  const card = useRef<HTMLElement>(null);
  if (profile.saved.length === 0) return null;
  return (
    <section className="card clip" ref={card}>
      <div className="card-head">
        <h2>Kept for backward</h2>
        <span className="caption ellipsis">
          {bytes(profile.saved_bytes)} in {count(saved.length)} tensors
          {shared > 0 && `; ${shared} more are inputs or weights, there anyway`}
        </span>
        <span className="push" data-export="no">
          <ExportMenu title="Kept for backward" target={card} />
        </span>
      </div>
      {saved.length > 0 && (
        <TableScroll label="Kept for backward" className={saved.length > SHORT ? 'tall' : undefined}>
          <table className="table">
            <thead>
              <tr>
                <th>Value</th>
                <th>Node</th>
                <th>Of</th>
                <th>Shape</th>
                <th className="num">Size</th>
              </tr>
            </thead>
            <tbody>
              {saved.map((tensor) => (
                <tr key={`${tensor.node_id}/${tensor.value}`}>
                  <td className="mono">{tensor.value}</td>
                  <td>{tensor.node_id}</td>
                  <td className="caption">{tensor.op}</td>
                  <td className="mono">{tensor.shape.map((n) => count(n)).join(' × ') || 'one number'}</td>
                  <td className="num" data-value={tensor.bytes}>
                    {bytes(tensor.bytes)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </section>
  );
}
