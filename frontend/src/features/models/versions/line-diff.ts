/** What differs between two texts, line by line (Myers 1986: the fewest lines gone and new). */

export interface Side {
  /** Its number in its text, from 1. */
  readonly line: number;
  readonly text: string;
}

/** One row of a comparison: the same line on both sides, one on either side alone, or one in place of another. */
export interface Row {
  readonly before: Side | null;
  readonly after: Side | null;
  readonly same: boolean;
}

/** Lines that differ beyond which the rest counts as replaced: the search takes time with their square. */
const MOST = 3000;

export function rowsOf(before: string, after: string): Row[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...common(a, b), [a.length, b.length] as const]) {
    rows.push(...replaced(a, i, x, b, j, y));
    if (x < a.length || y < b.length) rows.push(row(a, x, b, y, true));
    [i, j] = [x + 1, y + 1];
  }
  return rows;
}

function row(
  a: readonly string[],
  x: number | null,
  b: readonly string[],
  y: number | null,
  same = false,
): Row {
  const side = (lines: readonly string[], at: number | null) =>
    at === null ? null : { line: at + 1, text: lines[at] ?? '' };
  return { before: side(a, x), after: side(b, y), same };
}

/** Lines i to x of one text beside lines j to y of the other. */
function replaced(
  a: readonly string[],
  i: number,
  x: number,
  b: readonly string[],
  j: number,
  y: number,
): Row[] {
  return Array.from({ length: Math.max(x - i, y - j) }, (_, k) =>
    row(a, i + k < x ? i + k : null, b, j + k < y ? j + k : null),
  );
}

type Pair = readonly [number, number];

/** Numbers of the lines that both have, in order. */
function common(a: readonly string[], b: readonly string[]): Pair[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  const rest = Math.min(a.length, b.length) - head;
  while (tail < rest && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middle = shortest(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [
    ...Array.from({ length: head }, (_, k): Pair => [k, k]),
    ...middle.map(([x, y]): Pair => [x + head, y + head]),
    ...Array.from({ length: tail }, (_, k): Pair => [a.length - tail + k, b.length - tail + k]),
  ];
}

/** The same of texts without a common beginning or end. `reached[k]` is how far a path came on diagonal k. */
function shortest(a: readonly string[], b: readonly string[]): Pair[] {
  const reached = new Map([[1, 0]]);
  const steps: Map<number, number>[] = [];
  for (let d = 0; d <= Math.min(MOST, a.length + b.length); d++) {
    steps.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      let x = start(reached, k, d);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reached.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkedBack(steps, a.length, b.length);
    }
  }
  return [];
}

/** Where a path of d steps begins on a diagonal: one down, or one to the right of a neighbour's end. */
function start(reached: ReadonlyMap<number, number>, k: number, d: number): number {
  const [left, right] = [reached.get(k - 1) ?? -1, reached.get(k + 1) ?? -1];
  return k === -d || (k !== d && left < right) ? right : left + 1;
}

function walkedBack(steps: readonly ReadonlyMap<number, number>[], x: number, y: number): Pair[] {
  const found: Pair[] = [];
  for (let d = steps.length - 1; d >= 0; d--) {
    const reached = steps[d] ?? new Map();
    const k = x - y;
    const from = start(reached, k, d);
    while (x > from && y > 0 && x > 0) found.push([--x, --y]);
    const down = k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    if (d > 0) [x, y] = down ? [from, from - k - 1] : [from - 1, from - k];
  }
  return found.reverse();
}

/** Where two lines differ: what is before and behind that is the same. */
export function changedPart(before: string, after: string): readonly [number, number] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [head, tail];
}

const MARGIN = 3;

/** Rows with long runs of what is the same as their numbers: `[from, to)`. */
export function folded(rows: readonly Row[]): (Row | readonly [number, number])[] {
  const near = (i: number) => {
    for (let k = Math.max(0, i - MARGIN); k <= i + MARGIN; k++) if (rows[k] && !rows[k]?.same) return true;
    return false;
  };
  const out: (Row | readonly [number, number])[] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && !near(end)) end += 1;
    if (end - i >= 2) {
      out.push([i, end]);
      i = end;
    } else {
      out.push(rows[i] as Row);
      i += 1;
    }
  }
  return out;
}
