import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  type ReactFlowState,
  useStore,
} from '@xyflow/react';
import { memo } from 'react';
import type { Catalog } from '../model/catalog';
import { findNode, type ModelDoc, type Wire } from '../model/document';
import { isSnapped, nodeSize } from '../model/geometry';
import { type WireLook, wireLooks } from '../model/looks';
import { shapeText, typeText } from '../model/value-types';
import { SIGNS, useMark } from './marks';
import { kindColour } from './port-glyph';
import { useEditor } from './store';

const LABELS_FROM_ZOOM = 0.55;
const readable = (state: ReactFlowState) => state.transform[2] >= LABELS_FROM_ZOOM;

/** A wire with its kind as colour and its shape as text. Between snapped layers it is a short spine. */
export const ValueWire = memo(function ValueWire(props: EdgeProps) {
  const look = useEditor(({ history, catalog, checks }) =>
    wireLooks({ doc: history.doc, catalog, checks }).get(props.id),
  );
  if (!look) return null;
  return look.stacks ? (
    <MaybeSpine {...props} look={look} />
  ) : (
    <WireLine {...props} look={look} spine={null} />
  );
});

type LineProps = EdgeProps & { look: WireLook };

/** Only a wire whose target may snap follows where both its ends are. */
function MaybeSpine(props: LineProps) {
  const { wire } = props.look;
  const spine = useEditor(({ history: { doc }, catalog }) => spineOf(catalog, doc, wire));
  return <WireLine {...props} spine={spine} />;
}

function WireLine(props: LineProps & { spine: string | null }) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, selected, look, spine } =
    props;
  const { kind, type, problem, crowded } = look;
  const near = useStore(readable);
  const over = useEditor((state) => state.overWire === id);
  const mark = useMark(id);
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition });
  const text = type ? typeText(type) : (problem?.message ?? '');
  const label = type && near && !spine && targetX - sourceX > 40 ? shapeText(type) : null;
  return (
    <>
      <BaseEdge
        id={id}
        path={spine ?? path}
        // A line of a large model seen from afar is too thin to aim at, so nothing wider lies around it.
        interactionWidth={near || !crowded ? 18 : 0}
        className="wire"
        style={{ stroke: problem ? 'var(--err)' : kindColour(kind) }}
        data-problem={problem ? true : undefined}
        data-selected={selected || undefined}
        data-over={over || undefined}
        data-mark={mark}
      />
      {mark && (
        <EdgeLabelRenderer>
          <div
            className="wire-mark"
            data-mark={mark}
            title={`Wire ${mark}`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {SIGNS[mark]}
            <span className="visually-hidden">{`wire ${mark}`}</span>
          </div>
        </EdgeLabelRenderer>
      )}
      {!mark && (label || problem) && (
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
}

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
