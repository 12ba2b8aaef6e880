import './marks.css';
import type { ReactNode } from 'react';

export interface Bar {
  id: string;
  label: ReactNode;
  /** What decides the length; null where there is none. */
  value: number | null;
  /** The value with its unit. */
  text: string;
  /** A second figure, such as a ratio. */
  note?: string;
  /** Name of a design token. */
  color: string;
  strong?: boolean;
}

/** Named lengths under one another, each with its figure: read as a list, seen as bars. */
export function BarList({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const longest = Math.max(...bars.map((bar) => bar.value ?? 0), Number.MIN_VALUE);
  return (
    <ul className="bar-list" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.id} className={bar.strong ? 'strong' : undefined}>
          <span className="ellipsis">{bar.label}</span>
          <i
            className="bar-cell"
            aria-hidden="true"
            style={{
              width: `${((bar.value ?? 0) / longest) * 100}%`,
              ['--mark' as string]: `var(${bar.color})`,
            }}
          />
          <b>{bar.text}</b>
          <span className="caption">{bar.note ?? ''}</span>
        </li>
      ))}
    </ul>
  );
}
