import { useMemo } from 'react';
import type { Compilation } from './api';
import { type CodeLine, CodeLines } from './code-lines';

interface PaneProps {
  data: Compilation;
  line: number | null;
  onLine: (line: number | null) => void;
}

/** The program as the compiler reads it, and after all passes with its gradients. */
export function IrPane({ data, line, onLine }: PaneProps) {
  const before = useMemo(() => irLines(data.before, data.lines_before), [data.before, data.lines_before]);
  const after = useMemo(() => irLines(data.after, data.lines_after), [data.after, data.lines_after]);
  const last = data.stages.at(-1);
  const passes = data.stages.filter((stage) => stage.changed).map((stage) => stage.name);
  if (data.problems.length > 0)
    return <p className="pane dock-empty">No representation while the program has problems.</p>;
  return (
    <div className="pane pane-pair">
      <div className="pane-half">
        <div className="pane-head">
          <span>Before</span>
          <span>{ops(data.stages[0]?.before)}</span>
        </div>
        <CodeLines lines={before} language="ir" line={line} onLine={onLine} label="IR before the passes" />
      </div>
      <div className="pane-half">
        <div className="pane-head" title={`Passes that changed it: ${passes.join(', ')}`}>
          <span>After, with gradients</span>
          <span>{ops(last?.after)}</span>
        </div>
        <CodeLines lines={after} language="ir" line={line} onLine={onLine} label="IR after the passes" />
      </div>
    </div>
  );
}

function ops(counts: { ops: Record<string, number>; on_edges: number } | undefined): string {
  if (!counts) return '';
  const total = Object.values(counts.ops).reduce((sum, one) => sum + one, 0);
  return `${total} ops, ${counts.on_edges} on edges`;
}

const VALUE = /^(%\d+): (.*)$/;

/** One line a value; the n-th value comes from the n-th entry of `from`. */
export function irLines(text: string, from: readonly number[]): CodeLine[] {
  let value = 0;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const match = VALUE.exec(line);
      if (!match) return { text: line, mark: '', from: null };
      const origin = from[value] ?? 0;
      value += 1;
      return { text: match[2] ?? '', mark: match[1] ?? '', from: origin === 0 ? null : origin };
    });
}
