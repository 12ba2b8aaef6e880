import './marks.css';
import { seconds } from '@/ui/format';

export interface Slice {
  id: string;
  label: string;
  value: number;
  /** Name of a design token. */
  color: string;
  children?: readonly Slice[];
}

interface Placed extends Slice {
  depth: number;
  start: number;
}

const CULL = 0.0008;

/** Lays slices side by side, children above their parent's part; slices too thin to see are left out. */
export function layOut(root: Slice, depth = 0, start = 0): Placed[] {
  const placed: Placed[] = [{ ...root, depth, start }];
  let at = start;
  for (const child of root.children ?? []) {
    placed.push(...layOut(child, depth + 1, at));
    at += child.value;
  }
  return placed;
}

function ticks(total: number): number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => share * total);
}

/** Nested times as nested bars: width is time, a bar's parts stand below it. */
export function Icicle(props: {
  root: Slice;
  label: string;
  selected?: string | null;
  onSelect?: (id: string) => void;
}) {
  const total = props.root.value || 1;
  const cells = layOut(props.root).filter((cell) => cell.label !== '' && cell.value / total > CULL);
  const depth = Math.max(...cells.map((cell) => cell.depth));
  return (
    <div>
      <fieldset
        className="icicle bare"
        style={{ height: `calc(${depth + 1} * var(--icicle-row))` }}
        aria-label={props.label}
      >
        {cells.map((cell) => (
          <Cell key={`${cell.id}@${cell.depth}`} cell={cell} total={total} {...props} />
        ))}
      </fieldset>
      <div className="icicle-axis" aria-hidden="true">
        {ticks(total).map((at) => (
          <span key={at} style={{ left: `${(at / total) * 100}%` }}>
            {seconds(at)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Cell(props: {
  cell: Placed;
  total: number;
  selected?: string | null;
  onSelect?: (id: string) => void;
}) {
  const { cell, total } = props;
  const leaf = !cell.children?.length;
  const style = {
    left: `${(cell.start / total) * 100}%`,
    width: `calc(${(cell.value / total) * 100}% - 1px)`,
    top: `calc(${cell.depth} * var(--icicle-row))`,
    ['--mark' as string]: `var(${cell.color})`,
  };
  const title = `${cell.label}: ${seconds(cell.value)}, ${((cell.value / total) * 100).toFixed(1)} %`;
  const text = `${cell.label} ${seconds(cell.value)}`;
  if (!leaf || !props.onSelect) {
    return (
      <div className="icicle-cell" style={style} title={title}>
        {text}
      </div>
    );
  }
  return (
    <button
      type="button"
      className="icicle-cell"
      style={style}
      title={title}
      aria-label={title}
      aria-pressed={props.selected === cell.id}
      onClick={() => props.onSelect?.(cell.id)}
    >
      {text}
    </button>
  );
}
