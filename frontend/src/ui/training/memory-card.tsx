import IconTable from '@tabler/icons-react/icons/IconTable';
import { useMemo, useRef, useState } from 'react';
import { StepArea } from '@/ui/charts/step-area';
import { ExportMenu } from '@/ui/export/export-menu';
import { bytes, count } from '@/ui/format';
import type { Profile } from './types';

/** Bytes of tensors alive after each step of an epoch, as a curve or as its numbers. */
export function MemoryCard({ profile }: { profile: Profile }) {
  const [asTable, setAsTable] = useState(false);
  const card = useRef<HTMLElement>(null);
  const steps = useMemo(
    () =>
      profile.memory.map((point) => ({
        label: point.node_id ? `${point.node_id} · ${point.step}` : point.step,
        value: point.bytes,
        part: point.phase as string,
      })),
    [profile],
  );
  return (
    <section className="card" ref={card}>
      <div className="card-head">
        <h2>Memory over one epoch</h2>
        <span className="caption ellipsis">tensors made in it and still alive</span>
        {steps.length > 0 && (
          <span className="push" data-export="no">
            <button
              type="button"
              className="btn ghost small icon-only"
              aria-pressed={asTable}
              aria-label={`Memory: ${asTable ? 'view as chart' : 'view as table'}`}
              onClick={() => setAsTable(!asTable)}
            >
              <IconTable size={14} stroke={1.75} />
            </button>
            <ExportMenu
              title="Memory over one epoch"
              target={card}
              table={() => ({
                head: ['after', 'phase', 'bytes'],
                rows: steps.map((step) => [step.label, step.part, step.value]),
              })}
            />
          </span>
        )}
      </div>
      {steps.length === 0 && (
        <p className="caption source-none">No epoch was left to watch: train a few more than are measured.</p>
      )}
      {steps.length > 0 && !asTable && (
        <StepArea steps={steps} label="Memory over one epoch, step by step" format={bytes} />
      )}
      {asTable && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className="table-scroll tall" tabIndex={0} aria-label="Memory after each step">
          <table className="table">
            <thead>
              <tr>
                <th>After</th>
                <th>Phase</th>
                <th className="num">Alive</th>
              </tr>
            </thead>
            <tbody>
              {steps.map((step, i) => (
                <tr key={`${i}-${step.label}`}>
                  <td className="mono">{step.label}</td>
                  <td>{step.part}</td>
                  <td className="num" title={`${count(step.value)} B`}>
                    {bytes(step.value)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
