import { useRef, useState } from 'react';
import { placeLabels } from '@/ui/charts/place-labels';
import { useWidth } from '@/ui/charts/use-width';
import { bytes, seconds } from '@/ui/format';
import { type Axis, axisOf, BYTES, SECONDS } from './axis';
import { CapLine } from './cap-line';
import { fits, meshText, type Plan } from './plans';

const LEFT = 48;
const RIGHT = 12;
const TOP = 40;
const BOTTOM = 38;
const HEIGHT = 400;
const NEAR = 28; // pixels around a point that belong to it
const LETTER = 6.2; // width of a letter of a label, on the safe side

/** What was measured of a plan, on the machine that it was planned for. */
export interface Mark {
  readonly id: string;
  readonly plan: Plan;
  readonly memory: number;
  readonly seconds: number;
}

/** Where things of the plot stand, in pixels. */
export interface Place {
  readonly x: Axis;
  readonly y: Axis;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  left(memory: number): number;
  height(seconds: number): number;
}

interface ScatterProps {
  plans: readonly Plan[];
  marks: readonly Mark[];
  chosen: Plan | null;
  onChoose: (plan: Plan) => void;
  cap: number;
  onCap: (cap: number) => void;
  label: string;
}

function placeOf({ plans, marks }: ScatterProps, width: number): Place {
  const memory = [...plans.map((one) => one.costed.memory_bytes), ...marks.map((mark) => mark.memory)];
  const spent = [...plans.map((one) => one.costed.step_s), ...marks.map((mark) => mark.seconds)];
  const x = axisOf(memory, BYTES, Math.max(3, Math.floor(width / 90)));
  const y = axisOf(spent, SECONDS, 7);
  const inner = Math.max(80, width - LEFT - RIGHT);
  return {
    x,
    y,
    width,
    top: TOP,
    bottom: HEIGHT - BOTTOM,
    left: (value) => LEFT + x.at(value) * inner,
    height: (value) => TOP + (1 - y.at(value)) * (HEIGHT - TOP - BOTTOM),
  };
}

function Grid({ place }: { place: Place }) {
  const { x, y, width, top, bottom, left, height } = place;
  return (
    <g className="scatter-grid">
      {x.ticks.map((tick) => (
        <g key={tick.value}>
          <line x1={left(tick.value)} x2={left(tick.value)} y1={top} y2={bottom} />
          <text x={left(tick.value)} y={bottom + 15} textAnchor="middle">
            {tick.text}
          </text>
        </g>
      ))}
      {y.ticks.map((tick) => (
        <g key={tick.value}>
          <line x1={LEFT} x2={width - RIGHT} y1={height(tick.value)} y2={height(tick.value)} />
          <text x={LEFT - 6} y={height(tick.value) + 4} textAnchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      <text x={LEFT} y={12}>
        time of a step, {y.unit}
      </text>
      <text x={(LEFT + width - RIGHT) / 2} y={HEIGHT - 5} textAnchor="middle">
        memory of a device, {x.unit}
      </text>
    </g>
  );
}

/** What can be had for so much memory: each plan's time until the next plan fits. */
function frontierLine(plans: readonly Plan[], place: Place): string {
  const points = plans.filter((one) => one.onFrontier).map((one) => one.costed);
  const corner = ({ memory_bytes, step_s }: Plan['costed'], i: number) =>
    i === 0
      ? `M${place.left(memory_bytes)} ${place.height(step_s)}`
      : `H${place.left(memory_bytes)}V${place.height(step_s)}`;
  return points.map(corner).join('');
}

const GAP = 15; // between labels
const ASTRAY = 20; // a label so far from its square says nothing

/** Names of plans of one idea beside their squares, clear of one another; mixtures say theirs when pointed at. */
function KnownLabels({ plans, place }: { plans: readonly Plan[]; place: Place }) {
  const known = plans.filter((one) => !one.onFrontier && one.costed.mesh.length === 1);
  const wanted = known.map(({ costed }) => place.height(costed.step_s) + 4);
  const heights = placeLabels(wanted, GAP, place.top + 10, place.bottom - 4);
  return known.map(({ id, title, costed }, i) => {
    if (Math.abs(heights[i]! - wanted[i]!) > ASTRAY) return null;
    const x = place.left(costed.memory_bytes);
    const turned = x + 12 + title.length * LETTER > place.width - RIGHT;
    return (
      <text
        key={id}
        className="scatter-name"
        x={turned ? x - 11 : x + 11}
        y={heights[i]}
        textAnchor={turned ? 'end' : 'start'}
      >
        {title}
      </text>
    );
  });
}

function Guides({ plan, place }: { plan: Plan; place: Place }) {
  const x = place.left(plan.costed.memory_bytes);
  const y = place.height(plan.costed.step_s);
  return (
    <g className="scatter-guides">
      <path d={`M${LEFT} ${y}H${x}V${place.bottom}`} />
      <circle cx={x} cy={y} r={9} />
    </g>
  );
}

/** The plan nearest to a place of the plot, if it is near. */
function nearest(plans: readonly Plan[], place: Place, x: number, y: number): Plan | null {
  const far = ({ costed }: Plan) =>
    Math.hypot(place.left(costed.memory_bytes) - x, place.height(costed.step_s) - y);
  const found = plans.reduce<Plan | null>((a, b) => (a === null || far(b) < far(a) ? b : a), null);
  return found && far(found) <= NEAR ? found : null;
}

export function sayPlan({ title, onFrontier, costed }: Plan): string {
  const name = onFrontier ? `Plan ${title}` : title;
  return `${name}: ${bytes(costed.memory_bytes)} a device, ${seconds(costed.step_s)} a step, mesh ${meshText(costed.mesh)}`;
}

function Tip({ plan, place, cap }: { plan: Plan; place: Place; cap: number }) {
  const { costed } = plan;
  const x = place.left(costed.memory_bytes);
  const style = x < place.width / 2 ? { left: x + 18 } : { right: place.width - x + 18 };
  const rows = [
    ['memory of a device', bytes(costed.memory_bytes)],
    ['time of a step', seconds(costed.step_s)],
    ['mesh of devices', meshText(costed.mesh)],
    ['blocks computed again', costed.recomputed || 'none'],
  ] as const;
  return (
    <div className="series-tip" style={{ ...style, top: Math.max(0, place.height(costed.step_s) - 96) }}>
      <div>
        <strong>{plan.onFrontier ? `Plan ${plan.title}` : plan.title}</strong>
        {!fits(plan, cap) && <span className="text-3">over the cap</span>}
      </div>
      {rows.map(([label, value]) => (
        <div key={label}>
          {label} <b>{value}</b>
        </div>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Memory against time of every plan. A click picks the nearest, arrow keys walk from one to the next. */
export function Scatter(props: ScatterProps) {
  const { plans, marks, chosen, onChoose, cap } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const [over, setOver] = useState<Plan | null>(null);
  const place = placeOf(props, width);
  const find = (event: React.PointerEvent<SVGSVGElement> | React.MouseEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return nearest(plans, place, event.clientX - left, event.clientY - top);
  };
  const pick = (event: React.MouseEvent<SVGSVGElement>) => {
    const found = find(event);
    if (found) onChoose(found);
  };
  const walk = (event: React.KeyboardEvent<SVGGElement>) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = plans.findIndex((one) => one.id === chosen?.id) + by;
    const next = plans[Math.min(plans.length - 1, Math.max(0, at))];
    if (!next) return;
    onChoose(next);
    event.currentTarget.querySelector<SVGElement>(`[data-plan="${next.id}"]`)?.focus();
  };
  return (
    <div ref={box} className="scatter">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see the radio group */}
      <svg
        width={width}
        height={HEIGHT}
        onPointerMove={(event) => setOver(find(event))}
        onPointerLeave={() => setOver(null)}
        onClick={pick}
      >
        <title>{props.label}</title>
        <Grid place={place} />
        <CapLine place={place} cap={cap} onCap={props.onCap} />
        {chosen && <Guides plan={chosen} place={place} />}
        <path className="scatter-frontier" d={frontierLine(plans, place)} />
        <KnownLabels plans={plans} place={place} />
        <g role="radiogroup" aria-label={props.label} onKeyDown={walk}>
          {plans.map((one) => (
            <Dot
              key={one.id}
              plan={one}
              place={place}
              chosen={one.id === chosen?.id}
              fits={fits(one, cap)}
              reachable={one.id === (chosen?.id ?? plans[0]?.id)}
            />
          ))}
        </g>
        {marks.map((mark) => (
          <path
            key={mark.id}
            className="scatter-measured"
            d="M0-6.5 6.5 0 0 6.5-6.5 0Z"
            transform={`translate(${place.left(mark.memory)} ${place.height(mark.seconds)})`}
          >
            <title>{`Measured of ${sayPlan(mark.plan)}: ${bytes(mark.memory)}, ${seconds(mark.seconds)}`}</title>
          </path>
        ))}
      </svg>
      {over && <Tip plan={over} place={place} cap={cap} />}
    </div>
  );
}

function Dot(props: { plan: Plan; place: Place; chosen: boolean; fits: boolean; reachable: boolean }) {
  const { plan, place } = props;
  const x = place.left(plan.costed.memory_bytes);
  const y = place.height(plan.costed.step_s);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot stand inside a drawing
    <g
      role="radio"
      aria-checked={props.chosen}
      aria-label={sayPlan(plan)}
      tabIndex={props.reachable ? 0 : -1}
      data-plan={plan.id}
      data-over={!props.fits}
      className={plan.onFrontier ? 'scatter-point' : 'scatter-known'}
    >
      {plan.onFrontier ? (
        <circle cx={x} cy={y} r={4} />
      ) : (
        <rect x={x - 5.5} y={y - 5.5} width={11} height={11} />
      )}
    </g>
  );
}
