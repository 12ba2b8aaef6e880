import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath, useStore } from '@xyflow/react';
import { memo } from 'react';
import { type Catalog, findPort } from '../model/catalog';
import { problemOfWire, typeOfWire } from '../model/checks';
import { findNode, findWire, type ModelDoc, type Wire } from '../model/document';
import { isSnapped, nodeSize } from '../model/geometry';
import { shapeText, typeText, UNKNOWN_KIND } from '../model/value-types';
import { kindColour } from './port-glyph';
import { useEditor } from './store';

const LABELS_FROM_ZOOM = 0.55;

/** A wire with its kind as colour and its shape as text. Between snapped layers it is a short spine. */
export const ValueWire = memo(function ValueWire(props: EdgeProps) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, selected } = props;
  const wire = useEditor((state) => findWire(state.history.doc, id));
  const kind = useEditor(({ history, catalog }) =>
    wire ? findPort(catalog, history.doc, wire.source, 'output')?.kind : undefined,
  );
  const type = useEditor((state) => (wire ? typeOfWire(state.checks, wire) : undefined));
  const problem = useEditor((state) =>
    wire ? problemOfWire(state.checks, state.history.doc, wire) : undefined,
  );
  const spine = useEditor(({ history: { doc }, catalog }) => (wire ? spineOf(catalog, doc, wire) : null));
  const over = useEditor((state) => state.overWire === id);
  const readable = useStore((state) => state.transform[2] >= LABELS_FROM_ZOOM);
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition });
  const text = type ? typeText(type) : (problem?.message ?? '');
  const label = type && readable && !spine && targetX - sourceX > 40 ? shapeText(type) : null;
  return (
    <>
      <BaseEdge
        id={id}
        path={spine ?? path}
        interactionWidth={18}
        className="wire"
        style={{ stroke: problem ? 'var(--err)' : kindColour(kind ?? UNKNOWN_KIND) }}
        data-problem={problem ? true : undefined}
        data-selected={selected || undefined}
        data-over={over || undefined}
      />
      {(label || problem) && (
        <EdgeLabelRenderer>
          <div
            className="wire-label"
            data-problem={problem ? true : undefined}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            title={problem ? `${problem.message} ${problem.hint}` : text}
          >
            {problem ? `× ${label ?? 'does not fit'}` : label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** The short line between snapped layers; null where they are apart. */
function spineOf(catalog: Catalog, doc: ModelDoc, wire: Wire): string | null {
  const [source, at, below] = [
    findNode(doc, wire.source.node),
    doc.layout[wire.source.node],
    doc.layout[wire.target.node],
  ];
  if (!source || !at || !below || !isSnapped(catalog, doc, wire.source.node, wire.target.node)) return null;
  const size = nodeSize(catalog, doc, source);
  return `M${at.x + size.width / 2} ${at.y + size.height}L${at.x + size.width / 2} ${below.y}`;
}
