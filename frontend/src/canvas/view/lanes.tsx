import { useStore } from '@xyflow/react';
import { memo, type ReactNode, useMemo } from 'react';
import { EMPTY_DOC } from '../model/document';
import { COLUMN_GAP, NODE_WIDTH } from '../model/geometry';
import { hopsOf, type Lane, lanesOf, neighbourReaders } from '../model/hops';
import { useEditor } from './store';

const MARGIN = COLUMN_GAP / 2;

/** Lanes behind the model: how many hops over the graph a value has made. Tinted by turns, named at the top. */
export function Lanes() {
  const nodes = useEditor((state) => state.history.doc.nodes);
  const wires = useEditor((state) => state.history.doc.wires);
  const layout = useEditor((state) => state.history.doc.layout);
  const catalog = useEditor((state) => state.catalog);
  const hops = useMemo(
    () => hopsOf({ ...EMPTY_DOC, nodes, wires }, neighbourReaders(catalog)),
    [nodes, wires, catalog],
  );
  const lanes = useMemo(() => {
    const boxes = new Map(Object.entries(layout).map(([id, at]) => [id, { x: at.x, width: NODE_WIDTH }]));
    return lanesOf(hops, boxes);
  }, [hops, layout]);
  return (
    <div className="lanes" aria-hidden="true">
      <Moved>
        <Strips lanes={lanes} />
      </Moved>
    </div>
  );
}

/** Follows the canvas sideways as a whole: moved, its strips are neither laid out nor painted again. */
function Moved({ children }: { children: ReactNode }) {
  const x = useStore((state) => Math.round(state.transform[0]));
  return (
    <div className="lanes-moved" style={{ transform: `translateX(${x}px)` }}>
      {children}
    </div>
  );
}

const Strips = memo(function Strips({ lanes }: { lanes: readonly Lane[] }) {
  const zoom = useStore((state) => state.transform[2]);
  return lanes.map((lane, i) => {
    const from = i === 0 ? lane.from - MARGIN : lane.from;
    const to = i === lanes.length - 1 ? lane.to + MARGIN : lane.to;
    return (
      <div
        key={lane.label}
        className="lane"
        data-tinted={i % 2 === 1 || undefined}
        style={{ left: from * zoom, width: (to - from) * zoom }}
      >
        <div className="lane-head">
          <b>{lane.label}</b>
          {i > 0 && <span>reads neighbours</span>}
        </div>
      </div>
    );
  });
});
