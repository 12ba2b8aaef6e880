import './marks.css';

const WIDTH = 88;
const HEIGHT = 24;
const PAD = 3;

/** The shape of a series in a table row; its newest point is marked. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length < 2) return <span className="caption">no series</span>;
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low || 1;
  const at = (value: number, i: number) => ({
    x: PAD + (i / (finite.length - 1)) * (WIDTH - 2 * PAD),
    y: HEIGHT - PAD - ((value - low) / span) * (HEIGHT - 2 * PAD),
  });
  const points = finite.map(at);
  const end = points.at(-1)!;
  return (
    <svg
      className="spark"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      <circle cx={end.x} cy={end.y} r="2.5" />
    </svg>
  );
}
