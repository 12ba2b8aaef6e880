/** Which part of the drawing is seen, as an address says it: `120,-40,0.8`. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export function viewText({ x, y, zoom }: Place): string {
  return [Math.round(x), Math.round(y), Math.round(zoom * 100) / 100].join(',');
}

export function viewFrom(text: string | undefined): Place | null {
  const [x, y, zoom] = (text ?? '').split(',').map(Number);
  if (x === undefined || y === undefined || zoom === undefined) return null;
  const sound = [x, y, zoom].every(Number.isFinite) && Math.abs(x) < 1e6 && Math.abs(y) < 1e6;
  return sound && zoom >= 0.1 && zoom <= 2 ? { x, y, zoom } : null;
}
