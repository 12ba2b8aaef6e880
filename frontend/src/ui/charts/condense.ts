/** Steps and one column for each line, as uPlot takes them. */
export interface Rows {
  xs: readonly number[];
  columns: readonly (readonly (number | null)[])[];
}

/**
 * The rows that make the same picture: of rows that fall on one column of pixels only those where some line is lowest
 * or highest, with the first and the last, and one row on either side of the range, towards which lines leave it.
 */
export function condense(rows: Rows, [low, high]: readonly [number, number], pixels: number): Rows {
  const { xs, columns } = rows;
  const from = Math.max(0, firstAtLeast(xs, low) - 1);
  const to = Math.min(xs.length, firstAtLeast(xs, high) + 2);
  if (to - from <= 4 * pixels || !(high > low)) return rows;
  const kept: number[] = [];
  const scale = pixels / (high - low);
  for (let start = from; start < to; ) {
    const pixel = Math.floor((xs[start]! - low) * scale);
    let end = start + 1;
    while (end < to && Math.floor((xs[end]! - low) * scale) === pixel) end++;
    keep(kept, columns, start, end);
    start = end;
  }
  const pick = <T>(column: readonly T[]): T[] => kept.map((row) => column[row]!);
  return { xs: pick(xs), columns: columns.map(pick) };
}

/** Adds to `kept`, ascending, the rows from `start` to before `end` that show. */
function keep(kept: number[], columns: Rows['columns'], start: number, end: number): void {
  if (end - start <= 2) {
    for (let row = start; row < end; row++) kept.push(row);
    return;
  }
  const rows = new Set([start, end - 1]);
  for (const column of columns) {
    let [least, most] = [-1, -1];
    for (let row = start; row < end; row++) {
      const value = column[row];
      if (value === null || value === undefined) continue;
      if (least < 0 || value < column[least]!) least = row;
      if (most < 0 || value > column[most]!) most = row;
    }
    if (least >= 0) rows.add(least).add(most);
  }
  kept.push(...[...rows].sort((a, b) => a - b));
}

/** The first place of ascending `xs` whose value is not below `x`. */
function firstAtLeast(xs: readonly number[], x: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
