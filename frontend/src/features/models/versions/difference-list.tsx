import { type Catalog, titleOf } from '@/canvas/model/catalog';
import type { DocDiff, NodeDifference } from '@/canvas/model/doc-diff';
import type { Scalar } from '@/canvas/model/document';
import { MarkBadge } from '@/canvas/view/marks';

/** The same differences in words: what screen readers hear and what small screens show. */
export function DifferenceList({ diff, catalog }: { diff: DocDiff; catalog: Catalog }) {
  return (
    <ul className="differences" aria-label="Differences">
      {diff.nodes.map((one) => (
        <NodeEntry key={one.id} found={one} catalog={catalog} />
      ))}
      {diff.programs.map((one) => (
        <li key={`program ${one.name}`}>
          <MarkBadge mark={one.mark} /> program <code>{one.name}</code>
        </li>
      ))}
      {diff.wires.map((one) => (
        <li key={one.id}>
          <MarkBadge mark={one.mark} /> wire <code>{one.id.replace('>', ' → ')}</code>
        </li>
      ))}
      {diff.drawn.map((one) => (
        <li key={one.text}>
          <MarkBadge mark={one.mark} /> {one.text}
        </li>
      ))}
    </ul>
  );
}

function NodeEntry({ found, catalog }: { found: NodeDifference; catalog: Catalog }) {
  return (
    <li>
      <MarkBadge mark={found.mark} /> <b>{titleOf(catalog, found.node)}</b> <code>{found.id}</code>
      {found.params.length > 0 && (
        <dl className="facts">
          {found.params.map((param) => (
            <div key={param.name} className="param-difference">
              <dt>{param.name.replaceAll('_', ' ')}</dt>
              <dd className="mono">
                <del>{said(param.before)}</del> → <ins>{said(param.after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function said(value: Scalar | undefined): string {
  return value === undefined ? 'default' : String(value);
}
