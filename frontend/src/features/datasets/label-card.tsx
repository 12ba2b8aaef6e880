import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useState } from 'react';
import { csv, download } from '@/ui/download';
import { count, percent } from '@/ui/format';
import type { DatasetDetail, DatasetSummary } from './api';
import { classColour } from './class-colour';

const AT_FIRST = 10;
const PARTS = [
  ['train', 'var(--c1)'],
  ['val', 'var(--c2)'],
  ['test', 'var(--c3)'],
] as const;

/** How often each class occurs, and who trains, validates and tests. */
export function LabelCard({ dataset, summary }: { dataset: DatasetDetail; summary: DatasetSummary }) {
  const [all, setAll] = useState(false);
  const { classes, labelled } = summary;
  const most = Math.max(1, ...classes.map((one) => one.count));
  const shown = all ? classes : classes.slice(0, AT_FIRST);
  const save = () =>
    download(
      `${dataset.name}-classes.csv`,
      csv(
        ['class', 'count', 'train', 'val', 'test'],
        classes.map((one) => [one.name, one.count, one.train, one.val, one.test]),
      ),
    );
  return (
    <section className="card" aria-label="Labels and split">
      <div className="card-head">
        <h2>Labels and split</h2>
        {classes.length > 0 && (
          <span className="push">
            <button
              type="button"
              className="btn ghost small icon-only"
              aria-label="Labels: export CSV"
              title="Export CSV"
              onClick={save}
            >
              <IconDownload size={14} stroke={1.75} />
            </button>
          </span>
        )}
      </div>
      <div className="card-body stack tight">
        {classes.length === 0 && (
          <p className="text-2">Nothing is labelled, so this graph cannot be trained for classes.</p>
        )}
        <ul className="bars">
          {shown.map((one, i) => (
            <li key={one.name} title={`${one.name}: train ${one.train}, val ${one.val}, test ${one.test}`}>
              <span className="ellipsis">{one.name}</span>
              <span className="bar-track">
                <i style={{ width: `${(100 * one.count) / most}%`, background: classColour(i) }} />
              </span>
              <b className="mono">{count(one.count)}</b>
              <span className="caption">{percent(labelled > 0 ? one.count / labelled : null)}</span>
            </li>
          ))}
        </ul>
        {classes.length > AT_FIRST && (
          <button type="button" className="btn ghost small" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? 'Fewer classes' : `All ${classes.length} classes`}
          </button>
        )}
        <SplitBar summary={summary} />
      </div>
    </section>
  );
}

function SplitBar({ summary }: { summary: DatasetSummary }) {
  const total = summary.labelled;
  const used = summary.train + summary.val + summary.test;
  if (used === 0) return <p className="caption">No split: nothing says who trains and who tests.</p>;
  const whole = Math.max(total, used);
  return (
    <div className="stack tight">
      <h3>Split of {count(total)} labelled</h3>
      <div
        className="split-bar"
        role="img"
        aria-label={PARTS.map(([part]) => `${part} ${summary[part]}`).join(', ')}
      >
        {PARTS.map(([part, colour]) => (
          <i key={part} style={{ width: `${(100 * summary[part]) / whole}%`, background: colour }} />
        ))}
      </div>
      <ul className="fact-line start">
        {PARTS.map(([part, colour]) => (
          <li key={part} className="swatch" style={{ '--swatch': colour } as React.CSSProperties}>
            {part} <b className="mono">{count(summary[part])}</b>
          </li>
        ))}
        {whole > used && (
          <li className="swatch" style={{ '--swatch': 'var(--idle-soft)' } as React.CSSProperties}>
            unused <b className="mono">{count(whole - used)}</b>
          </li>
        )}
      </ul>
    </div>
  );
}
