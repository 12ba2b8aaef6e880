import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import { useMemo } from 'react';
import type { Compilation } from '@/canvas/trace/lit';
import { useTrace } from '@/canvas/trace/store';
import { words } from '@/ui/format';
import { CodeLines } from './code-lines';
import { irOf, irText, litLines } from './ir-lines';
import { figures, savedText } from './passes-model';

interface PaneProps {
  data: Compilation;
  /** Number of the pass that is looked at; null for all of them. */
  pass: number | null;
  onPass: (pass: number | null) => void;
}

/** The program before and after all passes with its gradients, or before and after one of them. */
export function IrPane({ data, pass, onPass }: PaneProps) {
  const at = pass === null || pass >= data.stages.length ? null : pass;
  const before = at === null || at === 0 ? null : at - 1;
  const after = at ?? data.stages.length - 1;
  const texts = useMemo(() => {
    const marked = at !== null;
    const left = irText(data, before, marked ? { text: irOf(data, after), change: 'gone' } : undefined);
    const right = irText(data, after, marked ? { text: irOf(data, before), change: 'new' } : undefined);
    return { left, right };
  }, [data, at, before, after]);
  const lit = useTrace((state) => state.lit);
  const left = useMemo(() => litLines(data, texts.left, lit), [data, texts, lit]);
  const right = useMemo(() => litLines(data, texts.right, lit), [data, texts, lit]);
  if (data.problems.length > 0)
    return <p className="pane dock-empty">No representation while the program has problems.</p>;
  const stage = at === null ? undefined : data.stages[at];
  return (
    <div className="pane">
      <PassStepper data={data} at={at} onPass={onPass} />
      <div className="pane-pair">
        <div className="pane-half">
          <div className="pane-head">
            <span className="ellipsis">{stage ? `Before ${words(stage.name)}` : 'As written'}</span>
            <span>{ops((stage ?? data.stages[0])?.before)}</span>
          </div>
          <CodeLines lines={texts.left.lines} language="ir" lit={left} label="IR before" />
        </div>
        <div className="pane-half">
          <div className="pane-head">
            <span className="ellipsis">
              {stage ? `After ${words(stage.name)}` : 'After all, with gradients'}
            </span>
            <span>{ops((stage ?? data.stages.at(-1))?.after)}</span>
          </div>
          <CodeLines lines={texts.right.lines} language="ir" lit={right} label="IR after" />
        </div>
      </div>
    </div>
  );
}

/** Goes through the passes that change the program, one by one, and says what the chosen one saves. */
function PassStepper({
  data,
  at,
  onPass,
}: {
  data: Compilation;
  at: number | null;
  onPass: (pass: number | null) => void;
}) {
  const changing = data.stages.flatMap((stage, i) => (stage.changed ? [i] : []));
  const back = at === null ? changing.at(-1) : changing.filter((i) => i < at).at(-1);
  const forth = at === null ? changing[0] : changing.find((i) => i > at);
  const stage = at === null ? undefined : data.stages[at];
  return (
    <div className="pane-head pass-stepper">
      <span className="segments">
        <button
          type="button"
          aria-label="The pass before"
          title="The pass before"
          disabled={at !== null && back === undefined}
          onClick={() => onPass(back ?? null)}
        >
          <IconChevronLeft size={14} />
        </button>
        <select
          aria-label="Pass to look at"
          value={at ?? ''}
          onChange={(event) =>
            onPass(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))
          }
        >
          <option value="">All passes</option>
          {data.stages.map((one, i) => (
            <option key={i} value={i} disabled={!one.changed}>
              {i + 1}. {words(one.name)}
              {one.changed ? '' : ' (nothing)'}
            </option>
          ))}
        </select>
        <button
          type="button"
          aria-label="The next pass"
          title="The next pass"
          disabled={at !== null && forth === undefined}
          onClick={() => onPass(forth ?? null)}
        >
          <IconChevronRight size={14} />
        </button>
      </span>
      <span className="ellipsis" role="status">
        {stage
          ? savedText(figures(stage.before), figures(stage.after))
          : `${changing.length} of ${data.stages.length} passes change it`}
      </span>
    </div>
  );
}

function ops(counts: { ops: Record<string, number>; on_edges: number } | undefined): string {
  if (!counts) return '';
  const total = Object.values(counts.ops).reduce((sum, one) => sum + one, 0);
  return `${total} ops, ${counts.on_edges} on edges`;
}
