import { useMediaQuery } from '@mantine/hooks';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { titleOf } from '@/canvas/model/catalog';
import { errorsIn, isAsking } from '@/canvas/model/checks';
import { findNode } from '@/canvas/model/document';
import { useTraceStore } from '@/canvas/trace/store';
import { ProblemList } from '@/canvas/view/problem-list';
import { useEditor } from '@/canvas/view/store';
import { count } from '@/ui/format';
import { intoView } from '@/ui/into-view';
import { late } from '@/ui/late';
import type { Compilation, CompilerChoices } from './api';
import { CodePane as ShownCode } from './code-pane';
import { DockHandle } from './dock-handle';
import { IrPane as ShownIr } from './ir-pane';
import { KernelPane as ShownKernels, type Target } from './kernel-pane';
import { useCompilation, useProgramNode } from './use-compilation';
import { type NodeTimes, useNodeTimes } from './use-last-profile';
import { useChoices, useView } from './use-view';

// What is typed elsewhere draws none of them anew.
const CodePane = memo(ShownCode);
const IrPane = memo(ShownIr);
const KernelPane = memo(ShownKernels);
const StitchPane = late(() => import('./stitch-pane').then((file) => memo(file.StitchPane)), {
  place: <div className="pane" />,
});
const PassesPane = late(() => import('./passes-pane').then((file) => memo(file.PassesPane)), {
  place: <div className="pane" />,
});
const ModelCode = late(() => import('./model-code').then((file) => file.ModelCode));

const TABS = {
  model: 'Model as code',
  code: 'Code',
  ir: 'IR before / after',
  kernels: 'Kernels',
  stitch: 'Stitching',
  passes: 'Passes',
  problems: 'Problems',
} as const;
type Tab = keyof typeof TABS;
/** What an address says of a dock that was closed. */
const CLOSED = 'closed';
const COMPILER: readonly Tab[] = ['code', 'ir', 'kernels'];

/** Under the canvas: a layer's vertex program as it becomes kernels, side by side, and everything that is wrong. */
export function Dock({ modelId, datasetId }: { modelId: string; datasetId: string | null }) {
  const wide = useMediaQuery('(min-width: 1180px)') ?? true;

  const [height, setHeight] = useState(272);
  const { search, change } = useView();
  const [roomy] = useState(() => window.innerHeight >= 760 && window.innerWidth > 640);
  const named = search.dock !== undefined && search.dock in TABS ? (search.dock as Tab) : null;
  const [last, setLast] = useState<Tab>(named ?? 'code');
  const open = named !== null || (search.dock !== CLOSED && roomy);
  const tab = named ?? last;
  const node = useProgramNode(search.open);
  const compiler = tab !== 'problems' && tab !== 'model';
  const [choices, setChoices] = useChoices();
  const compilation = useCompilation(node, datasetId, choices, open && compiler);
  const data = compilation.error ? undefined : compilation.data;
  const times = useNodeTimes(modelId, node, data?.source);
  const trace = useTraceStore();
  const place = useRef<HTMLElement>(null);
  // On a phone it may open below what is seen.
  useEffect(() => {
    if (named) place.current?.scrollIntoView({ block: 'nearest' });
  }, [named]);
  useEffect(() => trace.getState().setCompilation(data, node), [trace, data, node]);
  const show = (next: Tab) => {
    setLast(next);
    change({ dock: next === 'code' && roomy ? undefined : next });
  };
  const fold = () => (open ? change({ dock: roomy ? CLOSED : undefined }) : show(tab));
  const showPass = useCallback(
    (pass: number | null) => {
      const toIr = tab === 'passes' && pass !== null;
      change({ pass: pass === null ? undefined : String(pass), ...(toIr ? { dock: 'ir' } : {}) });
    },
    [tab, change],
  );
  const showTarget = useCallback(
    (target: Target) => change({ target: target === 'cpp' ? undefined : target }),
    [change],
  );
  const beside = (name: Tab) => wide && name !== tab && COMPILER.includes(tab) && COMPILER.includes(name);
  return (
    <section ref={place} className="dock" data-open={open || undefined} aria-label="Code and problems">
      {open && <DockHandle height={height} onChange={setHeight} />}
      <div className="dock-tabs">
        {(Object.keys(TABS) as Tab[])
          .filter((name) => name !== 'stitch' || tab === 'stitch' || data?.relations)
          .map((name) => (
            <button
              key={name}
              ref={open && name === tab ? intoView : undefined}
              type="button"
              className="dock-tab"
              aria-pressed={open && (name === tab || beside(name))}
              data-beside={(open && beside(name)) || undefined}
              onClick={() => show(name)}
            >
              {TABS[name]}
              {name === 'kernels' && compilation.data && (
                <span className="dock-count">{compilation.data.kernels.length}</span>
              )}
              {name === 'stitch' && data?.relations && (
                <span className="dock-count">
                  {count(data.relations.looped)} → {count(data.relations.fused)}
                </span>
              )}
              {name === 'passes' && choices.disabled.length > 0 && (
                <span className="dock-count">{choices.disabled.length} off</span>
              )}
              {name === 'problems' && <ProblemCounts />}
            </button>
          ))}
        <span className="push row">
          {open && compiler && node !== null && <ShownNode id={node} data={compilation.data} />}
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-expanded={open}
            aria-label={open ? 'Close the dock' : 'Open the dock'}
            onClick={fold}
          >
            {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
          </button>
        </span>
      </div>
      {open && (
        <div className="dock-body" style={{ height }}>
          {compiler ? (
            <Compiler
              node={node}
              data={data}
              times={times}
              error={compilation.error}
              tab={tab}
              wide={wide}
              choices={choices}
              onChoices={setChoices}
              pass={search.pass === undefined ? null : Number(search.pass)}
              onPass={showPass}
              target={search.target === 'triton' ? 'triton' : 'cpp'}
              onTarget={showTarget}
            />
          ) : tab === 'model' ? (
            <ModelCode />
          ) : (
            <Problems />
          )}
        </div>
      )}
    </section>
  );
}

function ProblemCounts() {
  const checks = useEditor((state) => state.checks);
  const errors = errorsIn(checks);
  const warnings = checks.problems.length - errors;
  return (
    <>
      <span className="dock-count" data-tone={errors > 0 ? 'err' : undefined}>
        {errors}
      </span>
      {warnings > 0 && (
        <span className="dock-count" data-tone="warn">
          {warnings}
        </span>
      )}
    </>
  );
}

function ShownNode({ id, data }: { id: string; data: Compilation | undefined }) {
  const title = useEditor((state) => {
    const node = findNode(state.history.doc, id);
    return node ? titleOf(state.catalog, node) : id;
  });
  const sizes = data?.assumed ? ', sizes assumed: choose a dataset' : '';
  return (
    <span className="caption desk-only" title={data ? JSON.stringify(data.bindings) : undefined}>
      {title} <code>{id}</code>
      {sizes}. Hover a line to follow it.
    </span>
  );
}

interface CompilerProps {
  node: string | null;
  data: Compilation | undefined;
  error: Error | null;
  tab: Tab;
  wide: boolean;
  choices: CompilerChoices;
  onChoices: (choices: CompilerChoices) => void;
  times: NodeTimes | null;
  pass: number | null;
  onPass: (pass: number | null) => void;
  target: Target;
  onTarget: (target: Target) => void;
}

/** Code, IR and kernels of one program. What is looked at in one is lit in all of them. */
function Compiler({ node, data, error, tab, wide, choices, onChoices, ...rest }: CompilerProps) {
  const { times, pass, onPass, target, onTarget } = rest;
  if (node === null)
    return (
      <p className="dock-empty">
        No layer here runs a vertex program. Add one that reads neighbours, such as GCN.
      </p>
    );
  const waiting = (
    <p className="pane dock-empty" aria-busy={error === null}>
      {error ? error.message : 'Compiling…'}
    </p>
  );
  // Each waits for its own module, in its own column: one that is being typed in keeps the caret while another comes.
  const panes = {
    code: <CodePane node={node} />,
    ir: data ? <IrPane data={data} pass={pass} onPass={onPass} /> : waiting,
    kernels: data ? <KernelPane data={data} times={times} target={target} onTarget={onTarget} /> : waiting,
    stitch: data ? <StitchPane data={data} node={node} /> : waiting,
    passes: data ? (
      <PassesPane data={data} choices={choices} onChoices={onChoices} onPass={onPass} />
    ) : (
      waiting
    ),
  };
  if (tab === 'problems' || tab === 'model') return null;
  if (!wide || tab === 'passes' || tab === 'stitch') return panes[tab];
  return (
    <div className="dock-split" data-tab={tab}>
      {panes.code}
      {panes.ir}
      {panes.kernels}
    </div>
  );
}

function Problems() {
  const checks = useEditor((state) => state.checks);
  return (
    <div className="dock-problems" aria-busy={isAsking(checks)}>
      {checks.unreachable && <p className="text-err">{checks.unreachable}</p>}
      {checks.problems.length === 0 && !checks.unreachable && (
        <p className="text-2">{checks.stale ? 'Checking…' : 'No problems.'}</p>
      )}
      <ProblemList problems={checks.problems} focuses />
    </div>
  );
}
