import './marks.css';
import './time-series.css';
import { useRef, useState } from 'react';
import { useWidth } from './use-width';

export interface AreaStep {
  /** What happened, said when pointed at. */
  label: string;
  value: number;
  /** Neighbours of one part stand on one ground. */
  part: string;
}

const LEFT = 58;
const TOP = 22;
const BOTTOM = 20;

/** Round steps for the axis: three or four lines at 1, 2 or 5 times a power of two or ten. */
function gridValues(top: number, base: number): number[] {
  const raw = top / 3;
  const power = base ** Math.floor(Math.log(raw) / Math.log(base));
  const step = [1, 2, 4, 5, 8].map((m) => m * power).find((s) => top / s <= 4) ?? base * power;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/** Runs of steps of the same part, as [name, first, behind the last]. */
export function partsOf(steps: readonly AreaStep[]): [string, number, number][] {
  const runs: [string, number, number][] = [];
  steps.forEach(({ part }, i) => {
    const last = runs.at(-1);
    if (last && last[0] === part) last[2] = i + 1;
    else runs.push([part, i, i + 1]);
  });
  return runs;
}

/** A value that holds from step to step: where it is high, and after what. Arrow keys walk along it. */
export function StepArea(props: {
  steps: readonly AreaStep[];
  label: string;
  format: (value: number) => string;
  height?: number;
}) {
  const { steps, format, height = 220 } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 600);
  const [at, setAt] = useState<number | null>(null);
  const inner = Math.max(80, width - LEFT - 4);
  const top = Math.max(...steps.map((s) => s.value), 1);
  const x = (i: number) => LEFT + (i / steps.length) * inner;
  const y = (value: number) => TOP + (1 - value / (top * 1.06)) * (height - TOP - BOTTOM);
  const line = steps.map((s, i) => `${i ? 'L' : 'M'}${x(i)} ${y(s.value)}H${x(i + 1)}`).join('');
  const peak = steps.findIndex((s) => s.value === top);
  const walk = (event: React.KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -steps.length, End: steps.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt((now) => Math.min(steps.length - 1, Math.max(0, (now ?? (by > 0 ? -1 : steps.length)) + by)));
  };
  const point = (event: React.PointerEvent<SVGSVGElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const index = Math.floor((left / inner) * steps.length);
    setAt(index < 0 || index >= steps.length ? null : index);
  };
  const shown = at === null ? null : steps[at];
  return (
    <div ref={box} className="step-area-box">
      <div
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={steps.length - 1}
        aria-valuenow={at ?? peak}
        aria-valuetext={said(steps[at ?? peak], format)}
        onKeyDown={walk}
        onBlur={() => setAt(null)}
      >
        <svg
          className="step-area"
          height={height}
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          {partsOf(steps).map(([name, from, to], i) => (
            <g key={`${name}-${from}`}>
              {i % 2 === 0 && (
                <rect
                  className="step-area-phase"
                  x={x(from)}
                  y={TOP}
                  width={x(to) - x(from)}
                  height={height - TOP - BOTTOM}
                />
              )}
              <text x={(x(from) + x(to)) / 2} y={14} textAnchor="middle">
                {name}
              </text>
            </g>
          ))}
          {gridValues(top, 2).map((value) => (
            <g key={value}>
              <line className="step-area-grid" x1={LEFT} x2={LEFT + inner} y1={y(value)} y2={y(value)} />
              <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          <path className="step-area-fill" d={`${line}V${y(0)}H${x(0)}Z`} />
          <path className="step-area-line" d={line} />
          {peak >= 0 && (
            <text
              className="step-area-peak"
              x={Math.min(x(peak), LEFT + inner - 70)}
              y={y(top) - 5}
              textAnchor="start"
            >
              peak {format(top)}
            </text>
          )}
          <text x={LEFT} y={height - 5}>
            step 1
          </text>
          <text x={LEFT + inner} y={height - 5} textAnchor="end">
            {steps.length}
          </text>
          {at !== null && (
            <line
              className="step-area-cursor"
              x1={x(at + 0.5)}
              x2={x(at + 0.5)}
              y1={TOP}
              y2={height - BOTTOM}
            />
          )}
        </svg>
      </div>
      {shown && at !== null && (
        <div
          className="series-tip"
          style={
            at < steps.length / 2
              ? { left: x(at + 0.5) + 28, top: TOP + 8 }
              : { right: width - x(at + 0.5) + 28, top: TOP + 8 }
          }
        >
          <div>{shown.label}</div>
          <div>
            {shown.part} <b>{format(shown.value)}</b>
          </div>
        </div>
      )}
    </div>
  );
}

function said(step: AreaStep | undefined, format: (value: number) => string): string {
  return step ? `after ${step.label}, ${step.part}: ${format(step.value)}` : 'nothing';
}
