import { useMemo, useState } from 'react';
import type { Compilation } from './api';
import { CodeLines } from './code-lines';

const TARGETS = {
  source: { title: 'C++', ending: '.cpp', runs: 'C++, OpenMP', language: 'cpp', entry: /^extern/ },
  triton: {
    title: 'Triton',
    ending: '.py',
    runs: 'Triton, on a GPU',
    language: 'python',
    entry: /^def rows/,
  },
} as const;

type Target = keyof typeof TARGETS;

interface PaneProps {
  data: Compilation;
  line: number | null;
  onLine: (line: number | null) => void;
}

type Kernel = Compilation['kernels'][number];

/** What runs: generated kernels forward and backward, each with its source and the operations fused into it. */
export function KernelPane({ data, line, onLine }: PaneProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [target, setTarget] = useState<Target>('source');
  const kernels = data.kernels;
  const largest =
    kernels.find((kernel) => kernel.source !== '' && kernel.fused_from.includes('sum_edges')) ?? kernels[0];
  const shown = kernels.find((kernel) => keyOf(kernel) === chosen) ?? largest;
  const lines = useMemo(
    () =>
      (shown?.[target] ?? '')
        .trimEnd()
        .split('\n')
        .map((text, i) => ({ text, mark: String(i + 1), from: null })),
    [shown, target],
  );
  const { ending, runs, language, entry } = TARGETS[target];
  if (!shown) return <p className="pane dock-empty">No kernels while the program has problems.</p>;
  return (
    <div className="pane pane-kernels">
      <ul className="kernel-list" aria-label="Kernels">
        {kernels.map((kernel) => (
          <li key={keyOf(kernel)}>
            <button
              type="button"
              aria-pressed={kernel === shown}
              data-lit={(line !== null && kernel.lines.includes(line)) || undefined}
              title={kernel.fused_from.join(', ')}
              onClick={() => setChosen(keyOf(kernel))}
              onMouseEnter={() => onLine(kernel.lines.length === 1 ? (kernel.lines[0] ?? null) : null)}
              onMouseLeave={() => onLine(null)}
            >
              <code>{kernel.name}</code>
              <span className="caption">
                {kernel.direction}, {kernel.fused_from.length} op{kernel.fused_from.length === 1 ? '' : 's'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="pane-half">
        <div className="pane-head">
          <span className="ellipsis">
            {shown.name}
            {shown.source && ending}
          </span>
          <span className="kernel-target">
            {shown.source ? runs : 'left to the BLAS'}
            {shown.source && <TargetSwitch target={target} onTarget={setTarget} />}
          </span>
        </div>
        {shown.source ? (
          <CodeLines
            lines={lines}
            language={language}
            line={null}
            label={`Source of ${shown.name}`}
            startAt={entry}
          />
        ) : (
          <p className="dock-empty">
            A dense product; the library’s own kernel runs it, so there is no generated source.
          </p>
        )}
      </div>
    </div>
  );
}

function TargetSwitch({ target, onTarget }: { target: Target; onTarget: (target: Target) => void }) {
  return (
    <fieldset className="segments" aria-label="What the kernel is generated for">
      {(Object.keys(TARGETS) as Target[]).map((name) => (
        <button key={name} type="button" aria-pressed={name === target} onClick={() => onTarget(name)}>
          {TARGETS[name].title}
        </button>
      ))}
    </fieldset>
  );
}

function keyOf(kernel: Kernel): string {
  return `${kernel.direction} ${kernel.name}`;
}
