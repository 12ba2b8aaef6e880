import { useMemo } from 'react';
import { findNode } from '@/canvas/model/document';
import { pinnedIn, type Relation, SETTING } from '@/canvas/model/relations';
import { kernelKey } from '@/canvas/trace/lit';
import { useTrace, useTraceStore } from '@/canvas/trace/store';
import { useEditor } from '@/canvas/view/store';
import { count, plural, shortName, si, words } from '@/ui/format';
import type { Compilation } from './api';

type Savings = NonNullable<Compilation['relations']>;
type Kernel = Compilation['kernels'][number];

interface PaneProps {
  data: Compilation;
  node: string;
}

/** Lanes of a loop that are drawn; the others are told by number. */
const LANES = 5;
const PER = { relation: 'relation', type: 'type', graph: 'graph' } as const;

/** A program over relations three times: run in a loop over them, on the stitched graph, and as the kernels that run. */
export function StitchPane({ data, node }: PaneProps) {
  const all = useEditor((state) => state.relations);
  const text = useEditor((state) => findNode(state.history.doc, node)?.params[SETTING]);
  const relations = useMemo(() => {
    const pinned = pinnedIn(text, all);
    return pinned ? all.filter((_, number) => pinned.numbers.includes(number)) : all;
  }, [all, text]);
  if (!data.relations)
    return <p className="pane dock-empty">This layer works on one relation: nothing is stitched.</p>;
  const { looped, stitched, fused } = data.relations;
  return (
    <div className="pane stitching">
      <Stage
        title="Loop over relations"
        launches={looped}
        most={looped}
        note={`${plural(data.relations.relations, 'relation')}, ${plural(data.relations.types, 'type')}: every operation by itself, once for each`}
      >
        <Loop savings={data.relations} relations={relations} />
      </Stage>
      <Stage
        title="Stitched"
        launches={stitched}
        most={looped}
        note="One graph of all edges: every operation once, whatever the number of relations"
      >
        <Stitched savings={data.relations} edges={relations.reduce((sum, one) => sum + one.edges, 0)} />
      </Stage>
      <Stage title="Fused and bundled" launches={fused} most={looped} note="What runs, forward and backward">
        <Fused kernels={data.kernels} savings={data.relations} />
      </Stage>
    </div>
  );
}

interface StageProps {
  title: string;
  launches: number;
  most: number;
  note: string;
  children: React.ReactNode;
}

function Stage({ title, launches, most, note, children }: StageProps) {
  return (
    <section className="stage" aria-label={title}>
      <h3>{title}</h3>
      <p className="stage-count">
        <b>{count(launches)}</b> {launches === 1 ? 'launch' : 'launches'}
        {launches < most && (
          <span className="chip accent">{si(Math.round((10 * most) / launches) / 10)}× fewer</span>
        )}
      </p>
      <div className="stage-bar" aria-hidden="true">
        <i style={{ width: `${Math.max(1, (100 * launches) / Math.max(1, most))}%` }} />
      </div>
      <p className="caption">{note}</p>
      {children}
    </section>
  );
}

interface OpProps {
  op: string;
  times: number;
  repeated?: boolean;
}

function Op({ op, times, repeated = false }: OpProps) {
  return (
    <span className="op-box" data-repeated={repeated || undefined}>
      {words(op)}
      {times > 1 && <small> × {count(times)}</small>}
    </span>
  );
}

/** Operations that a loop runs once each of `per`, and how often one turn does. */
function turn(savings: Savings, per: Savings['work'][number]['per']): OpProps[] {
  const own = savings.work.filter((one) => one.per === per && one.looped > 0);
  return own.map(({ op, stitched }) => ({ op, times: stitched }));
}

function Loop({ savings, relations }: { savings: Savings; relations: readonly Relation[] }) {
  const of = turn(savings, 'relation');
  const shown = relations.slice(0, relations.length > LANES + 1 ? LANES : LANES + 1);
  const rest = savings.relations - shown.length;
  const [types, once] = [turn(savings, 'type'), turn(savings, 'graph')];
  return (
    <ol className="lanes-list">
      {shown.map((relation, number) => (
        <Lane
          key={number}
          title={shortName(relation.name)}
          note={`${relation.source} to ${relation.target}, ${plural(relation.edges, 'edge')}`}
          colour={`var(--c${(number % 8) + 1})`}
          ops={of}
        />
      ))}
      {rest > 0 && (
        <Lane
          title={`${count(rest)} more`}
          note={`the same ${plural(of.length, 'operation')} for each`}
          ops={[]}
        />
      )}
      {types.length > 0 && (
        <Lane title={plural(savings.types, 'type')} note="once for each type" ops={types} />
      )}
      {once.length > 0 && <Lane title="All vertices" note="once" ops={once} />}
    </ol>
  );
}

interface LaneProps {
  title: string;
  note: string;
  ops: readonly OpProps[];
  colour?: string;
}

function Lane({ title, note, ops, colour }: LaneProps) {
  return (
    <li className="op-lane" style={colour ? { borderLeftColor: colour } : undefined}>
      <span className="op-lane-title">
        <b className="ellipsis">{title}</b>
        <span className="caption ellipsis">{note}</span>
      </span>
      {ops.length > 0 && (
        <span className="op-row">
          {ops.map((one) => (
            <Op key={one.op} {...one} />
          ))}
        </span>
      )}
    </li>
  );
}

function Stitched({ savings, edges }: { savings: Savings; edges: number }) {
  const parts = (['relation', 'type', 'graph'] as const).map((per) => ({
    per,
    ops: savings.work.filter((one) => one.per === per).map(({ op, stitched }) => ({ op, times: stitched })),
  }));
  const titles = {
    relation: { title: plural(savings.relations, 'relation'), note: `${plural(edges, 'edge')} as one list` },
    type: { title: plural(savings.types, 'type'), note: 'rows of a type lie side by side' },
    graph: { title: 'All vertices', note: 'one list of rows' },
  };
  return (
    <ol className="lanes-list">
      {parts
        .filter(({ ops }) => ops.length > 0)
        .map(({ per, ops }) => (
          <Lane key={PER[per]} {...titles[per]} ops={ops} />
        ))}
    </ol>
  );
}

/** A kernel is a box around what is fused in it. Chosen, it is lit in the code, the IR and the list of kernels. */
function Fused({ kernels, savings }: { kernels: readonly Kernel[]; savings: Savings }) {
  return (['forward', 'backward'] as const).map((direction) => (
    <div key={direction}>
      <h4>{direction}</h4>
      <ul className="fused-list">
        {kernels
          .filter((kernel) => kernel.direction === direction)
          .map((kernel) => (
            <Box key={kernel.name} kernel={kernel} savings={savings} />
          ))}
      </ul>
    </div>
  ));
}

function Box({ kernel, savings }: { kernel: Kernel; savings: Savings }) {
  const key = kernelKey(kernel);
  const trace = useTraceStore();
  const lit = useTrace((state) => state.lit.kernels.has(key));
  const pinned = useTrace((state) => state.pinned?.kind === 'kernel' && state.pinned.key === key);
  const focus = { kind: 'kernel', key } as const;
  const bundled = kernel.fused_from.some((op) => op in savings.bundled);
  const ops = [...new Set(kernel.fused_from)];
  return (
    <li>
      <button
        type="button"
        className="fused-box"
        aria-pressed={pinned}
        data-lit={lit || undefined}
        onClick={() => trace.getState().pin(focus)}
        onMouseEnter={() => trace.getState().hover(focus)}
        onMouseLeave={() => trace.getState().hover(null)}
        onFocus={() => trace.getState().hover(focus)}
        onBlur={() => trace.getState().hover(null)}
      >
        <span className="op-lane-title">
          <code>{kernel.name}</code>
          <span className="caption">
            {bundled
              ? 'bundled: all matrices in one launch'
              : kernel.side === 'dense'
                ? 'one product'
                : plural(kernel.fused_from.length, 'operation')}
          </span>
        </span>
        <span className="op-row">
          {ops.map((op) => (
            <Op key={op} op={op} times={kernel.fused_from.filter((one) => one === op).length} />
          ))}
        </span>
      </button>
    </li>
  );
}
