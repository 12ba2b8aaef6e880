interface Point {
  step: number;
  values: Record<string, number | null>;
}

// A few late points move the rows after them; many are sorted in together.
const FEW = 16;

/**
 * Points of one chart, kept outside React: steps ascending, one column per series, gaps as null.
 * When full, the oldest points make room and `dropped` counts them, so the chart can say what it leaves out.
 */
export class SeriesBuffer {
  private steps: number[] = [];
  private columns = new Map<string, (number | null)[]>();
  private listeners = new Set<() => void>();
  dropped = 0;
  version = 0;

  constructor(private readonly capacity = 20_000) {}

  get length(): number {
    return this.steps.length;
  }

  get names(): string[] {
    return [...this.columns.keys()];
  }

  get xs(): readonly number[] {
    return this.steps;
  }

  column(name: string): readonly (number | null)[] {
    return this.columns.get(name) ?? new Array<null>(this.steps.length).fill(null);
  }

  last(name: string): { step: number; value: number } | null {
    const column = this.columns.get(name) ?? [];
    for (let i = column.length - 1; i >= 0; i--) {
      const value = column[i];
      if (value !== null && value !== undefined) return { step: this.steps[i]!, value };
    }
    return null;
  }

  /** Adds points; one with a known step fills that step's row, so a replay changes nothing. */
  add(points: readonly Point[]): void {
    if (points.length === 0) return;
    this.makeRows(points);
    for (const point of points) this.put(point.step, point.values);
    this.trim();
    this.changed();
  }

  /** Holds these steps and columns and nothing else; steps ascend and columns are as long as they. */
  replace(steps: number[], columns: ReadonlyMap<string, (number | null)[]>): void {
    this.steps = steps;
    this.columns = new Map(columns);
    this.dropped = 0;
    this.changed();
  }

  clear(): void {
    this.steps = [];
    this.columns = new Map();
    this.dropped = 0;
    this.changed();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private put(step: number, values: Record<string, number | null>): void {
    const row = this.rowOf(step);
    for (const [name, value] of Object.entries(values)) {
      if (!this.columns.has(name)) this.columns.set(name, new Array<null>(this.steps.length).fill(null));
      this.columns.get(name)![row] = value !== null && Number.isFinite(value) ? value : null;
    }
  }

  /** Rows for many points that belong between those known, all in one pass. */
  private makeRows(points: readonly Point[]): void {
    const newest = this.steps.at(-1) ?? Number.NEGATIVE_INFINITY;
    const late = points.filter((point) => point.step < newest);
    if (late.length <= FEW) return;
    const known = this.steps;
    this.steps = [...new Set([...known, ...late.map((point) => point.step)])].sort((a, b) => a - b);
    for (const [name, column] of this.columns) {
      let row = 0;
      const spread = this.steps.map((step) => (known[row] === step ? column[row++]! : null));
      this.columns.set(name, spread);
    }
  }

  /** The row of `step`, made where it belongs; almost always that is the end. */
  private rowOf(step: number): number {
    const row = firstAbove(this.steps, step);
    if (row > 0 && this.steps[row - 1] === step) return row - 1;
    this.steps.splice(row, 0, step);
    for (const column of this.columns.values()) column.splice(row, 0, null);
    return row;
  }

  private trim(): void {
    const extra = this.steps.length - this.capacity;
    if (extra <= 0) return;
    this.dropped += extra;
    this.steps.splice(0, extra);
    for (const column of this.columns.values()) column.splice(0, extra);
  }

  private changed(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}

/** The first row whose step is larger; the end is looked at first. */
function firstAbove(steps: readonly number[], step: number): number {
  let [low, high] = [0, steps.length];
  if (high === 0 || steps[high - 1]! <= step) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}
