import { lazy, Suspense, useMemo, useState } from 'react';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { copyText } from '@/ui/clipboard';
import { useModelCode } from './use-model-code';

const ProgramEditor = lazy(() => import('./program-editor'));
const nothing = () => undefined;

/** The whole model as Python: what is typed becomes the canvas, what is drawn becomes text. */
export function ModelCode() {
  const store = useEditorStore();
  const { text, places, problems, writing, unreachable, change, beginAnew } = useModelCode();
  const selected = useEditor((state) => state.selectedNodes);
  const lines = useMemo(() => linesOf(places, selected), [places, selected]);
  const steps = useMemo(
    () => ({ undo: () => store.getState().undo(), redo: () => store.getState().redo() }),
    [store],
  );
  if (text === '') return <p className="dock-empty">{unreachable ?? 'Writing the model as code…'}</p>;
  return (
    <div className="pane">
      <div className="pane-head">
        <span>Whole model</span>
        <span className="row">
          {problems.length > 0
            ? 'The canvas shows the last text that could be read'
            : 'Edit either side; comments stay'}
          <CopyButton text={text} />
        </span>
      </div>
      <Suspense fallback={<p className="dock-empty">Opening the editor…</p>}>
        <ProgramEditor
          source={text}
          problems={problems}
          lines={lines}
          readOnly={writing}
          label="Source of the model"
          steps={steps}
          onLine={nothing}
          onChange={change}
          onLeave={() => store.getState().closeGesture()}
        />
      </Suspense>
      {unreachable !== null && (
        <p className="program-problems" role="alert">
          The text was not read: {unreachable}{' '}
          <button type="button" className="btn small" onClick={() => change(text)}>
            Try again
          </button>
        </p>
      )}
      {problems.length > 0 && (
        <ul className="program-problems" aria-label="Problems of the code">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.message}`}>
              <b>Line {problem.line}:</b> {problem.message} {problem.hint}
            </li>
          ))}
          <li>
            <button type="button" className="btn small" onClick={beginAnew}>
              Write it anew from the canvas
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button type="button" className="btn small" onClick={() => void copyText(text).then(setCopied)}>
      {copied ? 'Copied' : 'Copy code'}
    </button>
  );
}

type Places = ReturnType<typeof useModelCode>['places'];

/** Lines of what is selected on the canvas. */
function linesOf(places: Places, selected: ReadonlySet<string>): ReadonlySet<number> {
  const spans = places.filter((place) => place.what !== 'program' && selected.has(place.id));
  return new Set(
    spans.flatMap(({ span }) =>
      Array.from({ length: span.end_line - span.line + 1 }, (_, i) => span.line + i),
    ),
  );
}
