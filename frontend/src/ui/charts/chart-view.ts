import { createContext, useContext, useMemo, useState } from 'react';

/** What a reader made of a chart: the part of the x axis in view, and the lines put away. */
export interface ChartView {
  zoom: readonly [number, number] | null;
  hidden: readonly string[];
}

export const WHOLE: ChartView = { zoom: null, hidden: [] };

/** Views by the chart's id, as one word of an address: `loss=10..200!val_loss;accuracy=5..9`. */
export function writeViews(views: Readonly<Record<string, ChartView>>): string {
  return Object.entries(views)
    .filter(([, { zoom, hidden }]) => zoom || hidden.length > 0)
    .map(([id, { zoom, hidden }]) => {
      const range = zoom ? `=${zoom[0]}..${zoom[1]}` : '';
      return `${encode(id)}${range}${hidden.map((key) => `!${encode(key)}`).join('')}`;
    })
    .join(';');
}

/** Understands what `writeViews` wrote; anything else in an address is passed over. */
export function readViews(text: string | undefined): Record<string, ChartView> {
  const found: Record<string, ChartView> = {};
  for (const part of (text ?? '').split(';')) {
    const [head = '', ...hidden] = part.split('!');
    const [id = '', range = ''] = head.split('=');
    const view = { zoom: rangeOf(range), hidden: hidden.map(decode).filter(Boolean) };
    if (decode(id) && (view.zoom || view.hidden.length > 0)) found[decode(id)] = view;
  }
  return found;
}

function rangeOf(text: string): [number, number] | null {
  const ends = text.split('..').map((end) => (end === '' ? Number.NaN : Number(end)));
  const [low = Number.NaN, high = Number.NaN] = ends;
  return ends.length === 2 && Number.isFinite(low) && Number.isFinite(high) && low < high
    ? [low, high]
    : null;
}

const encode = (text: string) => encodeURIComponent(text).replaceAll('!', '%21');

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The views of a page's charts and how to change one; a page keeps them in its address. */
export interface ChartViews {
  views: Readonly<Record<string, ChartView>>;
  change: (id: string, view: ChartView) => void;
}

export const ChartViewsContext = createContext<ChartViews | null>(null);

/** Views kept as text by a page, ready for `ChartViewsContext`. */
export function useViewsText(text: string | undefined, keep: (text: string) => void): ChartViews {
  return useMemo(() => {
    const views = readViews(text);
    return { views, change: (id, view) => keep(writeViews({ ...views, [id]: view })) };
  }, [text, keep]);
}

/** The view of one chart: the page's where it keeps them, the chart's own otherwise. */
export function useChartView(id: string): [ChartView, (view: ChartView) => void] {
  const page = useContext(ChartViewsContext);
  const [own, setOwn] = useState<ChartView>(WHOLE);
  return page ? [page.views[id] ?? WHOLE, (view) => page.change(id, view)] : [own, setOwn];
}

/** A chart's id in an address: its title in lower case with dashes. */
export function chartId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/** A range a quarter as wide, four times as wide, or moved; kept inside the whole. */
export function zoomBy(
  range: readonly [number, number],
  whole: readonly [number, number],
  how: { scale?: number; shift?: number },
): [number, number] | null {
  const width = (range[1] - range[0]) * (how.scale ?? 1);
  const full = whole[1] - whole[0];
  if (!(width < full)) return null;
  const middle = (range[0] + range[1]) / 2 + (how.shift ?? 0) * width;
  const low = Math.min(Math.max(middle - width / 2, whole[0]), whole[1] - width);
  return [low, low + width];
}
