import './legend.css';
import type { SeriesLook } from './series-plot';

const LENGTH = 18;

/** A short piece of a line, in its colour and with its dashes. */
export function LineMark({ look }: { look: Pick<SeriesLook, 'color' | 'dash'> }) {
  const dashes = look.dash === true ? [4, 3] : look.dash;
  return (
    <svg className="line-mark" width={LENGTH} height={8} aria-hidden="true">
      <line
        x1={0}
        x2={LENGTH}
        y1={4}
        y2={4}
        strokeDasharray={dashes ? dashes.join(' ') : undefined}
        style={{ stroke: `var(${look.color})` }}
      />
    </svg>
  );
}

/** The lines of a chart by name; pressing one puts it away or brings it back. */
export function Legend(props: {
  title: string;
  series: readonly SeriesLook[];
  hidden: readonly string[];
  /** Left out where lines cannot be put away. */
  onHidden?: (hidden: readonly string[]) => void;
}) {
  const { hidden } = props;
  const toggle = (key: string) =>
    props.onHidden?.(hidden.includes(key) ? hidden.filter((k) => k !== key) : [...hidden, key]);
  return (
    <fieldset className="chart-legend bare" aria-label={`Lines of ${props.title}`}>
      {props.series.map((look) => (
        <button
          key={look.key}
          type="button"
          aria-pressed={!hidden.includes(look.key)}
          disabled={!props.onHidden}
          onClick={() => toggle(look.key)}
        >
          <LineMark look={look} />
          {look.label || look.key}
        </button>
      ))}
    </fieldset>
  );
}
