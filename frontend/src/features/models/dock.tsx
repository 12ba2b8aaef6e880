import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp';
import { useState } from 'react';
import { errorsIn } from '@/canvas/model/checks';
import { ProblemList } from '@/canvas/view/problem-list';
import { useEditor } from '@/canvas/view/store';

/** Under the canvas: the code of a layer as it becomes kernels, and everything that is wrong. */
export function Dock() {
  const checks = useEditor((state) => state.checks);
  const [open, setOpen] = useState(true);
  const errors = errorsIn(checks);
  const warnings = checks.problems.length - errors;
  return (
    <section className="dock" data-open={open || undefined} aria-label="Code and problems">
      <div className="dock-tabs">
        <button type="button" aria-pressed className="dock-tab" onClick={() => setOpen(true)}>
          Problems
          <span className="dock-count" data-tone={errors > 0 ? 'err' : undefined}>
            {errors}
          </span>
          {warnings > 0 && (
            <span className="dock-count" data-tone="warn">
              {warnings}
            </span>
          )}
        </button>
        <button
          type="button"
          className="btn ghost small icon-only push"
          aria-expanded={open}
          aria-label={open ? 'Close the dock' : 'Open the dock'}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </button>
      </div>
      {open && (
        <div className="dock-pane">
          {checks.unreachable && <p className="text-err">{checks.unreachable}</p>}
          {checks.problems.length === 0 && !checks.unreachable && (
            <p className="text-2">{checks.stale ? 'Checking…' : 'No problems.'}</p>
          )}
          <ProblemList problems={checks.problems} focuses />
        </div>
      )}
    </section>
  );
}
