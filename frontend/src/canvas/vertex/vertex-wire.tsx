import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { useTrace } from '../trace/store';
import { kindColour } from '../view/port-glyph';
import { KINDS, nodeOf, outPlaces, type ProgramWire, shapeOf, shownAs, wireKey } from './graph';
import type { Point } from './layout';
import { useVertex } from './store';

/** A value on its way. Its colour is its kind; where it leaves, its shape is written. A dashed one runs to the next round. */
export const VertexWire = memo(function VertexWire({ id, data, selected }: EdgeProps) {
  const wire = data?.['wire'] as ProgramWire;
  const points = useVertex((state) => state.layout.routes.get(id));
  const source = useVertex((state) => nodeOf(state.graph, wire.source));
  const first = useVertex((state) => {
    const same = (one: ProgramWire) => one.source === wire.source && !one.back && one.place === wire.place;
    const found = state.graph.wires.find(same);
    return found !== undefined && wireKey(found) === id;
  });
  const rows = useVertex((state) => (source ? outPlaces(state.graph, source).length : 0));
  const lit = useTrace((state) => state.lit.nodes.has(wire.source) && state.lit.nodes.has(wire.target));
  if (!points || !source) return null;
  const [begin, next] = points;
  const label = first && begin && next && next.x - begin.x > 40 ? shapeOf(source, wire.place) : '';
  const kind = KINDS[shownAs(source, wire.place)].glyph;
  return (
    <>
      <BaseEdge
        id={id}
        path={wire.back ? around(points) : along(points)}
        interactionWidth={14}
        className="wire vertex-wire"
        style={{ stroke: kindColour(kind), strokeDasharray: wire.back ? '5 4' : undefined }}
        data-selected={selected || undefined}
        data-lit={lit || undefined}
        data-place={wire.place}
      />
      {label && begin && (
        <EdgeLabelRenderer>
          <div
            className="vertex-shape"
            data-rows={rows}
            style={{ transform: `translate(${begin.x + 9}px, ${begin.y - 15}px)` }}
            title={`${KINDS[wire.place].word} ${label}`}
          >
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** Level where it passes a column, bent between columns. */
function along(points: readonly Point[]): string {
  return points
    .map((to, i) => {
      const from = points[i - 1];
      if (!from) return `M${to.x} ${to.y}`;
      if (Math.abs(from.y - to.y) < 0.5 || from.x === to.x) return `L${to.x} ${to.y}`;
      const bend = Math.max(24, (to.x - from.x) / 2);
      return `C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
    })
    .join('');
}

/** Under everything, back to an earlier column. */
function around(points: readonly Point[]): string {
  const [from, to] = [points[0], points.at(-1)];
  if (!from || !to) return '';
  const low = Math.max(from.y, to.y) + 130;
  return `M${from.x} ${from.y}C${from.x + 70} ${from.y} ${from.x + 70} ${low} ${from.x - 20} ${low}L${to.x + 20} ${low}C${to.x - 70} ${low} ${to.x - 70} ${to.y} ${to.x} ${to.y}`;
}
