import { useMemo, useState } from 'react';
import { type Compilation, kernelKey, type Lit } from '@/canvas/trace/lit';
import { useTrace, useTraceStore } from '@/canvas/trace/store';
import { count, seconds } from '@/ui/format';
import { CodeLines } from './code-lines';
import type { NodeTimes } from './use-last-profile';

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

export type Target = 'cpp' | 'triton';
type Kernel = Compilation['kernels'][number];

interface PaneProps {
  data: Compilation;
  times: NodeTimes | null;
  target: Target;
  onTarget: (target: Target) => void;
}

/** What runs: generated kernels forward and backward, each with its measured time, its source and what is fused into it. */
export function KernelPane({ data, times, target, onTarget }: PaneProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const lit = useTrace((state) => state.lit);
  const pinned = useTrace((state) => (state.pinned?.kind === 'kernel' ? state.pinned.key : null));
  const shown = shownKernel(data.kernels, pinned ?? chosen, lit);
  if (!shown) return <p className="pane dock-empty">No kernels while the program has problems.</p>;
  return (
    <div className="pane">
      <div className="pane-kernels">
        <KernelList
          kernels={data.kernels}
          shown={shown}
          times={times}
          onChoose={(kernel) => setChosen(kernelKey(kernel))}
        />
        <KernelSource data={data} kernel={shown} lit={lit} target={target} onTarget={onTarget} />
      </div>
      {times && <TimesNote times={times} />}
    </div>
  );
}

/** The chosen one; else the first that belongs to what is looked at; else the first that walks edges. */
function shownKernel(kernels: readonly Kernel[], chosen: string | null, lit: Lit): Kernel | undefined {
  const walks = (kernel: Kernel) => kernel.source !== '' && kernel.fused_from.includes('sum_edges');
  return (
    kernels.find((kernel) => kernelKey(kernel) === chosen) ??
    kernels.find((kernel) => kernel.source !== '' && lit.kernels.has(kernelKey(kernel))) ??
    kernels.find(walks) ??
    kernels[0]
  );
}

interface ListProps {
  kernels: readonly Kernel[];
  shown: Kernel;
  times: NodeTimes | null;
  onChoose: (kernel: Kernel) => void;
}

function KernelList({ kernels, shown, times, onChoose }: ListProps) {
  const trace = useTraceStore();
  const lit = useTrace((state) => state.lit.kernels);
  return (
    <ul className="kernel-list" aria-label="Kernels">
      {kernels.map((kernel) => {
        const key = kernelKey(kernel);
        const focus = { kind: 'kernel', key } as const;
        const time = times?.byKernel.get(key);
        return (
          <li key={key}>
            <button
              type="button"
              aria-pressed={kernel === shown}
              data-lit={lit.has(key) || undefined}
              title={kernel.fused_from.join(', ')}
              onClick={() => {
                onChoose(kernel);
                trace.getState().pin(focus);
              }}
              onMouseEnter={() => trace.getState().hover(focus)}
              onMouseLeave={() => trace.getState().hover(null)}
              onFocus={() => trace.getState().hover(focus)}
              onBlur={() => trace.getState().hover(null)}
            >
              <span className="kernel-name">
                <code className="ellipsis">{kernel.name}</code>
                {time !== undefined && <b className="mono">{seconds(time)}</b>}
              </span>
              <span className="caption">
                {kernel.direction}, {count(kernel.fused_from.length)} op
                {kernel.fused_from.length === 1 ? '' : 's'}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface SourceProps {
  data: Compilation;
  kernel: Kernel;
  lit: Lit;
  target: Target;
  onTarget: (target: Target) => void;
}

function KernelSource({ data, kernel, lit, target, onTarget }: SourceProps) {
  const { ending, runs, language, entry } = TARGETS[target === 'cpp' ? 'source' : 'triton'];
  const text = target === 'cpp' ? kernel.source : kernel.triton;
  const lines = useMemo(() => sourceLines(text, kernel, data), [text, kernel, data]);
  const marked = useMemo(() => litSource(text, kernel, lit, data.places_after), [text, kernel, lit, data]);
  return (
    <div className="pane-half">
      <div className="pane-head">
        <span className="ellipsis">
          {kernel.name}
          {kernel.source && ending}
        </span>
        <span className="kernel-target">
          {kernel.source ? runs : 'left to the BLAS'}
          {kernel.source && <TargetSwitch target={target} onTarget={onTarget} />}
        </span>
      </div>
      {kernel.source ? (
        <CodeLines
          lines={lines}
          language={language}
          lit={marked}
          label={`Source of ${kernel.name}`}
          startAt={entry}
        />
      ) : (
        <p className="dock-empty">
          A dense product; the library’s own kernel runs it, so there is no generated source.
        </p>
      )}
    </div>
  );
}

const NAMED = /\bv(\d+)\b/g;

/** The values of the IR that a line of a kernel speaks of: its n-th is called `vn`. */
function valuesOf(line: string, kernel: Kernel): number[] {
  return [...line.matchAll(NAMED)].flatMap(([, n]) => kernel.values[Number(n)] ?? []);
}

function sourceLines(text: string, kernel: Kernel, data: Compilation) {
  const last = data.stages.length - 1;
  return text
    .trimEnd()
    .split('\n')
    .map((line, i) => {
      const [value] = valuesOf(line, kernel);
      const focus = value === undefined ? null : ({ kind: 'op', stage: last, value } as const);
      return { text: line, mark: String(i + 1), focus };
    });
}

function litSource(text: string, kernel: Kernel, lit: Lit, places: readonly number[]): ReadonlySet<number> {
  const all = kernel.values.every((value) => lit.places.has(places[value] ?? -1));
  if (all || lit.places.size === 0) return new Set();
  const belongs = (line: string) =>
    valuesOf(line, kernel).some((value) => lit.places.has(places[value] ?? -1));
  return new Set(text.split('\n').flatMap((line, i) => (belongs(line) ? [i] : [])));
}

function TargetSwitch({ target, onTarget }: { target: Target; onTarget: (target: Target) => void }) {
  return (
    <fieldset className="segments" aria-label="What the kernel is generated for">
      {(['cpp', 'triton'] as const).map((name) => (
        <button key={name} type="button" aria-pressed={name === target} onClick={() => onTarget(name)}>
          {TARGETS[name === 'cpp' ? 'source' : 'triton'].title}
        </button>
      ))}
    </fieldset>
  );
}

function TimesNote({ times }: { times: NodeTimes }) {
  return (
    <p className="kernel-times caption" role="status">
      Times of one epoch, measured by <a href={`/jobs/${times.jobId}?tab=profile`}>the last profile</a>
      {times.version !== null && ` (version ${times.version})`} on {times.machine}
      {times.same ? '.' : '. The program has changed since; kernels of the same name may differ.'}
    </p>
  );
}
