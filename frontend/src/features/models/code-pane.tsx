import { useMemo } from 'react';
import { problemsOfNode } from '@/canvas/model/checks';
import { findNode } from '@/canvas/model/document';
import { setProgram } from '@/canvas/model/edits';
import { useLitLines, useTraceStore } from '@/canvas/trace/store';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { CodeLines } from './code-lines';
import { ProgramEditor } from './late-editor';

const FUNCTION = /^def /;

interface PaneProps {
  node: string;
}

/** The vertex program: to read where a layer of the palette runs it, to edit where it is the model's own. */
export function CodePane({ node }: PaneProps) {
  const own = useEditor((state) => {
    const name = findNode(state.history.doc, node)?.params['program'];
    return state.history.doc.programs.find((program) => program.name === name);
  });
  const layer = useEditor((state) => state.catalog.byType.get(findNode(state.history.doc, node)?.type ?? ''));
  return (
    <div className="pane">
      <div className="pane-head">
        <span>{own?.name ?? layer?.program ?? 'Program'}</span>
        <span>{own ? 'Yours to edit; checked as you type' : 'Python subset, parsed'}</span>
      </div>
      {own ? (
        <Edited node={node} name={own.name} source={own.source} />
      ) : layer?.program_source ? (
        <Shown source={layer.program_source} />
      ) : (
        <p className="dock-empty">
          This layer runs a program of the model. Choose or begin one under Parameters.
        </p>
      )}
    </div>
  );
}

function Shown({ source }: { source: string }) {
  const lit = useLitLines();
  const lines = useMemo(
    () =>
      source
        .trimEnd()
        .split('\n')
        .map((text, i) => ({ text, mark: String(i + 1), focus: { kind: 'line', line: i + 1 } as const })),
    [source],
  );
  return (
    <CodeLines
      lines={lines}
      language="python"
      lit={useMemo(() => new Set([...lit].map((line) => line - 1)), [lit])}
      label="Vertex program"
      startAt={FUNCTION}
    />
  );
}

function Edited({ node, name, source }: PaneProps & { name: string; source: string }) {
  const trace = useTraceStore();
  const lit = useLitLines();
  const store = useEditorStore();
  const checks = useEditor((state) => state.checks);
  // While the newest text is being checked the problems are those of another one, at other lines.
  const problems = useMemo(
    () => (checks.stale ? [] : problemsOfNode(checks, node).filter((problem) => problem.line !== null)),
    [checks, node],
  );
  const change = (text: string) => {
    const { dispatch, history } = store.getState();
    dispatch(setProgram(history.doc, { name, source: text }), { key: `program ${name}`, at: Date.now() });
  };
  return (
    <>
      <ProgramEditor
        source={source}
        problems={problems}
        lines={lit}
        onLine={(line) => trace.getState().hover(line === null ? null : { kind: 'line', line })}
        onChange={change}
        onLeave={() => store.getState().closeGesture()}
      />
      {problems.length > 0 && (
        <ul className="program-problems">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.message}`}>
              <b>Line {problem.line}:</b> {problem.message} {problem.hint}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
