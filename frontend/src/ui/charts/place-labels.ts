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
