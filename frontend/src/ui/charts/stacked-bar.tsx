import './marks.css';
import { percent, seconds } from '@/ui/format';

export interface Part {
  label: string;
  value: number;
  /** Name of a design token. */
  color: string;
}

/** One whole cut into its parts, with the shares said below, or the values where they have a `format`. */
export function StackedBar(props: {
  parts: readonly Part[];
  label: string;
  format?: (value: number) => string;
}) {
  const { parts, label, format } = props;
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  return (
    <figure className="stacked" aria-label={label}>
      <div className="stacked-bar" aria-hidden="true">
        {parts.map((part) => (
          <i
            key={part.label}
            title={`${part.label}: ${(format ?? seconds)(part.value)}`}
            style={{ width: `${(part.value / total) * 100}%`, background: `var(${part.color})` }}
          />
        ))}
      </div>
      <figcaption>
        {parts.map((part) => (
          <span
            key={part.label}
            className="legend-square"
            style={{ ['--mark' as string]: `var(${part.color})` }}
          >
            {part.label} {format ? format(part.value) : percent(part.value / total, 0)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
