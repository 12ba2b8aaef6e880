import { type ConnectionLineComponentProps, getBezierPath, useConnection, useReactFlow } from '@xyflow/react';
import { findPort } from '../model/catalog';
import { UNKNOWN_KIND } from '../model/value-types';
import { heldOf } from './handles';
import { kindColour } from './port-glyph';
import { useEditor } from './store';

/** The wire while it is dragged: its kind's colour; dashed and crossed over a port that cannot take it. */
export function WireInHand(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, fromHandle, toHandle } = props;
  const held = heldOf(fromHandle?.nodeId, fromHandle?.id);
  const to = heldOf(toHandle?.nodeId, toHandle?.id);
  const kind = useEditor(({ history, catalog }) =>
    held ? findPort(catalog, history.doc, held.end, held.side)?.kind : undefined,
  );
  const ok = useEditor((state) => (state.inHand && to ? state.inHand.judge(to).ok : true));
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  const stroke = ok ? kindColour(kind ?? UNKNOWN_KIND) : 'var(--err)';
  return (
    <g fill="none" strokeWidth={2} stroke={stroke}>
      <path d={path} strokeDasharray={ok ? undefined : '5 4'} />
      {!ok && <path d={`M${toX - 6} ${toY - 6}l12 12m0-12l-12 12`} strokeWidth={2.5} strokeLinecap="round" />}
    </g>
  );
}

/** Why the port under the pointer refuses, before the wire is let go. */
export function ReasonWhileDragging() {
  const end = useConnection((connection) => (connection.inProgress ? connection.toHandle : null));
  const to = end ? heldOf(end.nodeId, end.id) : null;
  const inHand = useEditor((state) => state.inHand);
  const verdict = inHand && to ? inHand.judge(to) : null;
  const { flowToScreenPosition } = useReactFlow();
  const at = useConnection((connection) => (connection.inProgress ? connection.to : null));
  if (!verdict || verdict.ok || verdict.code === 'same_port' || !at) return null;
  const screen = flowToScreenPosition(at);
  return (
    <div
      className="reason-hover"
      style={{ left: Math.min(screen.x + 16, window.innerWidth - 336), top: screen.y + 16 }}
      role="status"
    >
      <b>{verdict.title}</b>
      <span>{verdict.message}</span>
    </div>
  );
}
