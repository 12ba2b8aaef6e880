import { useMemo, useState } from 'react';
import type { DocNode } from '@/canvas/model/document';
import { useTrace, useTraceStore } from '@/canvas/trace/store';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { copyText } from '@/ui/clipboard';
import { ProgramEditor } from './late-editor';
import { useModelCode } from './use-model-code';

/** The whole model as Python: what is typed becomes the canvas, what is drawn becomes text. */
export function ModelCode() {
  const store = useEditorStore();
  const { text, places, problems, writing, unreachable, change, beginAnew } = useModelCode();
  const selected = useEditor((state) => state.selectedNodes);
  const trace = useTraceStore();
  const hovered = useTrace((state) => state.layers);
  const programs = useEditor((state) => state.history.doc.nodes);
  const lines = useMemo(
    () => linesOf(places, new Set([...selected, ...hovered])),
    [places, selected, hovered],
  );
  const look = (line: number | null) =>
    trace.getState().hoverLayer(...(line === null ? [] : layersAt(places, programs, line)));
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
      <ProgramEditor
        source={text}
        problems={problems}
        lines={lines}
        readOnly={writing}
        label="Source of the model"
        steps={steps}
        onLine={look}
        onChange={change}
        onLeave={() => store.getState().closeGesture()}
      />
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

/** Layers that a line speaks of: the one it states, or all that run the program it stands in. */
function layersAt(places: Places, nodes: readonly DocNode[], line: number): string[] {
  const here = places.filter(({ span }) => span.line <= line && line <= span.end_line);
  return here.flatMap(({ what, id }) => {
    if (what === 'program')
      return nodes.filter((node) => node.params['program'] === id).map((node) => node.id);
    return what === 'node' ? [id] : [];
  });
}
