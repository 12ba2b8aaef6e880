import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { csv, download } from '@/ui/download';
import { count, number, percent } from '@/ui/format';
import type { DatasetSummary } from './api';

/** What the numbers of the vertices look like. */
export function FeatureCard({ features, name }: { features: DatasetSummary['features']; name: string }) {
  return (
    <section className="card" aria-label="Features">
      <div className="card-head">
        <h2>Features</h2>
        {features && features.top_columns.length > 0 && (
          <span className="push">
            <button
              type="button"
              className="btn ghost small icon-only"
              aria-label="Features: export CSV"
              title="Export CSV"
              onClick={() =>
                download(
                  `${name}-features.csv`,
                  csv(
                    ['column', 'nonzero', 'mean'],
                    features.top_columns.map((one) => [one.column, one.nonzero, one.mean]),
                  ),
                )
              }
            >
              <IconDownload size={14} stroke={1.75} />
            </button>
          </span>
        )}
      </div>
      <div className="card-body">
        {features ? <Facts features={features} /> : <p className="text-2">Vertices have no features.</p>}
      </div>
    </section>
  );
}

function Facts({ features }: { features: NonNullable<DatasetSummary['features']> }) {
  const most = Math.max(1, ...features.top_columns.map((one) => one.nonzero));
  return (
    <div className="stack tight">
      <dl className="facts">
        <dt>Columns</dt>
        <dd>{count(features.columns)}</dd>
        <dt>Not zero</dt>
        <dd>
          {count(features.nonzero)}, {percent(features.nonzero_ratio)}
        </dd>
        <dt>Stored</dt>
        <dd>{features.sparse ? 'sparse rows, float32' : 'dense, float32'}</dd>
        <dt>Range</dt>
        <dd>
          {number(features.min)} to {number(features.max)}, mean {number(features.mean)}
        </dd>
        <dt>Empty rows</dt>
        <dd>{count(features.empty_rows)}</dd>
      </dl>
      {features.top_columns.length > 0 && (
        <>
          <h3>Columns set most often</h3>
          <ul className="bars">
            {features.top_columns.slice(0, 6).map((one) => (
              <li key={one.column}>
                <span className="mono">{one.column}</span>
                <span className="bar-track">
                  <i style={{ width: `${(100 * one.nonzero) / most}%`, background: 'var(--c8)' }} />
                </span>
                <b className="mono">{count(one.nonzero)}</b>
                <span className="caption">mean {number(one.mean, 2)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
