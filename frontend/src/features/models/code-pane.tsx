import { lazy, Suspense, useMemo } from 'react';
import { findNode } from '@/canvas/model/document';
import { setProgram } from '@/canvas/model/edits';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import type { Compilation } from './api';
import { CodeLines } from './code-lines';

const ProgramEditor = lazy(() => import('./program-editor'));

const FUNCTION = /^def /;

interface PaneProps {
  node: string;
  data: Compilation;
  line: number | null;
  onLine: (line: number | null) => void;
}

/** The vertex program: to read where a layer of the palette runs it, to edit where it is the model's own. */
export function CodePane({ node, data, line, onLine }: PaneProps) {
  const own = useEditor((state) => {
    const name = findNode(state.history.doc, node)?.params['program'];
    return state.history.doc.programs.find((program) => program.name === name);
  });
  const lines = useMemo(
    () =>
      data.source
        .trimEnd()
        .split('\n')
        .map((text, i) => ({ text, mark: String(i + 1), from: i + 1 })),
    [data.source],
  );
  return (
    <div className="pane">
      <div className="pane-head">
        <span>{data.declares?.name ?? 'Program'}</span>
        <span>{own ? 'Yours to edit; checked as you type' : 'Python subset, parsed'}</span>
      </div>
      {own ? (
        <Suspense fallback={<p className="dock-empty">Opening the editor…</p>}>
          <Edited name={own.name} source={own.source} data={data} line={line} onLine={onLine} />
        </Suspense>
      ) : (
        <CodeLines
          lines={lines}
          language="python"
          line={line}
          onLine={onLine}
          label="Vertex program"
          startAt={FUNCTION}
        />
      )}
    </div>
  );
}

function Edited(props: {
  name: string;
  source: string;
  data: Compilation;
  line: number | null;
  onLine: (line: number | null) => void;
}) {
  const { name, source, data, line, onLine } = props;
  const store = useEditorStore();
  const change = (text: string) => {
    const { dispatch, history } = store.getState();
    dispatch(setProgram(history.doc, { name, source: text }), { key: `program ${name}`, at: Date.now() });
  };
  // Problems of another text would stand at the wrong lines.
  const problems = data.source === source ? data.problems : [];
  return (
    <>
      <ProgramEditor
        source={source}
        problems={problems}
        line={line}
        onLine={onLine}
        onChange={change}
        onLeave={() => store.getState().closeGesture()}
      />
      {problems.length > 0 && (
        <ul className="program-problems">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.message}`}>
              {problem.line !== null && <b>Line {problem.line}</b>} {problem.message} {problem.hint}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
