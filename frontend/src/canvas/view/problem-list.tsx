import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import { useReactFlow } from '@xyflow/react';
import type { Problem } from '../model/checks';
import { applyFix } from '../model/insert';
import { widthFixOf } from '../model/problem-fixes';
import { useEditor, useEditorStore } from './store';

/** Problems with their remedy. Choosing one selects its node and brings it into view. */
export function ProblemList({
  problems,
  focuses = false,
}: {
  problems: readonly Problem[];
  focuses?: boolean;
}) {
  return (
    <ul className="problems">
      {problems.map((problem) => (
        <ProblemRow
          key={`${problem.pointer} ${problem.code} ${problem.message}`}
          problem={problem}
          focuses={focuses}
        />
      ))}
    </ul>
  );
}

function ProblemRow({ problem, focuses }: { problem: Problem; focuses: boolean }) {
  const store = useEditorStore();
  const { fitView } = useReactFlow();
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const readOnly = useEditor((state) => state.readOnly);
  const repair = readOnly ? null : widthFixOf(catalog, doc, problem);
  const warning = problem.severity === 'warning';
  const Icon = warning ? IconAlertTriangle : IconCircleX;
  const show = () => {
    if (problem.node_id === null) return;
    store.getState().select(new Set([problem.node_id]));
    void fitView({ nodes: [{ id: problem.node_id }], maxZoom: 1, duration: 120, padding: 0.6 });
  };
  const text = (
    <>
      <span>{problem.message}</span> {problem.hint && <span className="text-2">{problem.hint}</span>}
    </>
  );
  return (
    <li data-tone={warning ? 'warn' : 'err'}>
      <Icon size={15} stroke={1.75} aria-label={warning ? 'Warning' : 'Error'} />
      {focuses && problem.node_id !== null ? (
        <button type="button" className="problem-text" onClick={show}>
          {text}
        </button>
      ) : (
        <div className="problem-text">{text}</div>
      )}
      {repair && (
        <button
          type="button"
          className="btn small tonal"
          onClick={() =>
            store
              .getState()
              .dispatch(applyFix(catalog, doc, repair.wire.source, repair.wire.target, repair.fix))
          }
        >
          {repair.fix.label}
        </button>
      )}
    </li>
  );
}
