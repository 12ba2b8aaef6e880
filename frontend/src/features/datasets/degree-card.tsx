import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useMemo, useState } from 'react';
import { csv, download } from '@/ui/download';
import { count, number, si } from '@/ui/format';
import type { DatasetDetail, DatasetSummary } from './api';
import { degreeChart } from './degree-bars';
import { useWidth } from './use-width';

const HEIGHT = 316;
const MARGIN = { left: 48, right: 8, top: 20, bottom: 38 };
const SIDES = { in: 'In', out: 'Out' } as const;

/** How many neighbours vertices have, on two logarithmic axes. */
export function DegreeCard({ dataset, summary }: { dataset: DatasetDetail; summary: DatasetSummary }) {
  const [side, setSide] = useState<keyof typeof SIDES>('in');
  const [box, width] = useWidth();
  const degrees = side === 'in' ? summary.in_degrees : summary.out_degrees;
  const inner = Math.max(80, width - MARGIN.left - MARGIN.right);
  const high = HEIGHT - MARGIN.top - MARGIN.bottom;
  const chart = useMemo(() => degreeChart(degrees, inner, high), [degrees, inner, high]);
  const save = () =>
    download(
      `${dataset.name}-${side}-degrees.csv`,
      csv(
        ['low', 'high', 'vertices'],
        [[0, 0, degrees.zero], ...degrees.bins.map((bin) => [bin.low, bin.high, bin.vertices])],
      ),
    );
  const facts: [string, string][] = [
    ['min', count(degrees.min)],
    ['median', number(degrees.median)],
    ['p95', number(degrees.p95)],
    ['max', count(degrees.max)],
    ['degree 0', count(degrees.zero)],
  ];
  return (
    <section className="card" aria-label="Degrees">
      <div className="card-head">
        <h2>Degrees</h2>
        <span className="push">
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-label="Degrees: export CSV"
            title="Export CSV"
            onClick={save}
          >
            <IconDownload size={14} stroke={1.75} />
          </button>
          <span className="segments">
            {Object.entries(SIDES).map(([key, word]) => (
              <button
                key={key}
                type="button"
                aria-pressed={side === key}
                onClick={() => setSide(key as keyof typeof SIDES)}
              >
                {word}
              </button>
            ))}
          </span>
        </span>
      </div>
      <div className="card-body" ref={box}>
        {width > 0 && (
          <svg
            className="chart"
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={`Histogram of ${side}-degrees: ${facts.map(([a, b]) => `${a} ${b}`).join(', ')}`}
          >
            <text x={MARGIN.left} y={12}>
              vertices (log)
            </text>
            <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
              {chart.yTicks.map((tick) => (
                <g key={tick.value}>
                  <line className="grid" x1={0} x2={inner} y1={tick.at} y2={tick.at} />
                  <text x={-8} y={tick.at + 4} textAnchor="end">
                    {si(tick.value)}
                  </text>
                </g>
              ))}
              {chart.bars.map((bar) => (
                <rect
                  key={bar.low}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  height={bar.height}
                  fill="var(--c1)"
                >
                  <title>
                    {bar.low === bar.high
                      ? `degree ${count(bar.low)}`
                      : `degrees ${count(bar.low)} to ${count(bar.high)}`}
                    : {count(bar.vertices)} vertices
                  </title>
                </rect>
              ))}
              <line className="axis" x1={0} x2={inner} y1={high} y2={high} />
              {chart.mean !== null && (
                <g>
                  <line
                    x1={chart.mean}
                    x2={chart.mean}
                    y1={-8}
                    y2={high}
                    stroke="var(--c4)"
                    strokeDasharray="3 3"
                  />
                  <text className="strong" x={chart.mean + 6} y={0}>
                    mean {number(degrees.mean, 3)}
                  </text>
                </g>
              )}
              {chart.xTicks.map((tick) => (
                <text key={tick.value} x={tick.at} y={high + 16} textAnchor="middle">
                  {si(tick.value)}
                </text>
              ))}
              <text x={inner / 2} y={high + 33} textAnchor="middle">
                {side}-edges of a vertex (log)
              </text>
            </g>
          </svg>
        )}
        <ul className="fact-line">
          {facts.map(([name, value]) => (
            <li key={name}>
              <span className="caption">{name}</span> <b className="mono">{value}</b>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
