import { bytes } from '@/ui/format';
import type { Place } from './scatter';

const STEP = 0.01; // of the axis that an arrow key moves
const LEAP = 0.1;

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  ArrowRight: STEP,
  ArrowUp: STEP,
  PageDown: -LEAP,
  PageUp: LEAP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The memory that a device has: dragged, or moved by arrow keys. What needs more lies in the shade. */
export function CapLine(props: { place: Place; cap: number; onCap: (cap: number) => void }) {
  const { place, cap, onCap } = props;
  const { x, top, bottom, left, width } = place;
  const [first, last] = [left(x.low), left(x.high)];
  const at = Math.min(last, Math.max(first, left(cap)));
  const move = (share: number) => onCap(x.value(Math.min(1, Math.max(0, share))));
  const press = (event: React.KeyboardEvent) => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(Math.min(1, Math.max(0, x.at(cap))) + by);
  };
  const drag = (event: React.PointerEvent<SVGGElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const plot = event.currentTarget.ownerSVGElement!.getBoundingClientRect();
    move((event.clientX - plot.left - first) / (last - first));
  };
  const middle = top + 44;
  const turned = at > width / 2;
  return (
    <g className="cap">
      <rect className="cap-shade" x={at} y={top} width={last - at} height={bottom - top} />
      <text x={at} y={top - 10} textAnchor={turned ? 'end' : 'start'}>
        <tspan className="cap-words">cap {bytes(cap)}</tspan> · drag, or arrow keys
      </text>
      <g
        className="cap-handle"
        role="slider"
        tabIndex={0}
        aria-label="Memory of a device"
        aria-orientation="horizontal"
        aria-valuemin={x.low}
        aria-valuemax={x.high}
        aria-valuenow={Math.min(x.high, Math.max(x.low, cap))}
        aria-valuetext={bytes(cap)}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onClick={(event) => event.stopPropagation()}
      >
        <rect className="cap-reach" x={at - 5} y={top} width={10} height={bottom - top} />
        <rect className="cap-reach" x={at - 22} y={middle - 24} width={44} height={48} />
        <line x1={at} x2={at} y1={top} y2={bottom} />
        <rect className="cap-grip" x={at - 7} y={middle - 14} width={14} height={28} rx={4} />
        <path d={`M${at - 2} ${middle - 6}v12M${at + 2} ${middle - 6}v12`} />
      </g>
    </g>
  );
}
