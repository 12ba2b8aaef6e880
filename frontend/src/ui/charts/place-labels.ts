/** Moves labels apart: each stays as near its wanted place as it can, none closer than `gap`, all inside [low, high]. */
export function placeLabels(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = order.map((i) => Math.min(Math.max(wanted[i]!, low), high));
  for (let i = 1; i < placed.length; i++) placed[i] = Math.max(placed[i]!, placed[i - 1]! + gap);
  const over = (placed.at(-1) ?? 0) - high;
  if (over > 0) placed[placed.length - 1]! -= over;
  for (let i = placed.length - 2; i >= 0; i--) placed[i] = Math.min(placed[i]!, placed[i + 1]! - gap);
  const result = new Array<number>(wanted.length);
  order.forEach((original, i) => {
    result[original] = placed[i]!;
  });
  return result;
}

/** The end of a line, and how wide its label is. */
export interface LineEnd {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Where labels start that stand `beside` the ends of their lines. Those that would lie over one another or over another end
 * stand in one column after the last of these ends, in the order of their heights.
 */
export function placeAtEnds(
  ends: readonly LineEnd[],
  beside: number,
  gap: number,
  low: number,
  high: number,
) {
  const order = ends.map((_, i) => i).sort((a, b) => ends[a]!.x - ends[b]!.x);
  const places = new Array<Place>(ends.length);
  const place = (crowd: readonly number[]) => {
    const x = beside + Math.max(...crowd.map((i) => ends[i]!.x));
    const wanted = crowd.map((i) => ends[i]!.y);
    placeLabels(wanted, gap, low, high).forEach((y, k) => {
      places[crowd[k]!] = { x, y };
    });
  };
  let crowd: number[] = [];
  for (const i of order) {
    const widest = Math.max(0, ...crowd.map((k) => ends[k]!.width));
    if (crowd.length > 0 && ends[i]!.x - beside >= ends[crowd.at(-1)!]!.x + beside + widest) {
      place(crowd);
      crowd = [];
    }
    crowd.push(i);
  }
  if (crowd.length > 0) place(crowd);
  return places;
}
