import 'uplot/dist/uPlot.min.css';
import './time-series.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { number } from '@/ui/format';
import { useTheme } from '@/ui/theme';
import type { ChartView } from './chart-view';
import type { SeriesBuffer } from './series-buffer';
import { type SeriesLook, SeriesPlot } from './series-plot';
import { useSeen, watchInView } from './use-seen';

export interface TimeSeriesProps {
  buffer: SeriesBuffer;
  series: readonly SeriesLook[];
  /** Read aloud, and the start of exported file names. */
  label: string;
  xLabel?: string;
  /** The x axis is a measure and each line has points of its own. */
  continuous?: boolean;
  /** End of the x axis while it is known, so a live curve shows how far it has to go. */
  xMax?: number | null;
  yMin?: number;
  yMax?: number;
  height?: number;
  /** Said in the middle while there is no point. */
  waiting: string;
  view: ChartView;
  onView: (view: ChartView) => void;
  plotRef?: (plot: SeriesPlot | null) => void;
}

function describe(props: TimeSeriesProps): string {
  const shown = props.series.filter((s) => !props.view.hidden.includes(s.key));
  const last = shown.map((s) => ({ s, at: props.buffer.last(s.key) })).filter(({ at }) => at !== null);
  if (last.length === 0) return `${props.label}: no point yet`;
  const words = last.map(({ s, at }) => `${s.label} ${at!.value.toPrecision(4)}`);
  return `${props.label}: ${words.join(', ')} at ${props.xLabel ?? 'step'} ${last[0]!.at!.step}`;
}

/** What keys do to the part of the axis in view; null shows the whole again. */
const KEYS: Record<string, { scale?: number; shift?: number } | null> = {
  '+': { scale: 0.5 },
  '=': { scale: 0.5 },
  '-': { scale: 2 },
  ArrowLeft: { shift: -0.25 },
  ArrowRight: { shift: 0.25 },
  '0': null,
};

function isEmptyIn(buffer: SeriesBuffer, [low, high]: readonly [number, number]): boolean {
  return !buffer.xs.some((x) => x >= low && x <= high);
}

/** A live line chart: labels at the line ends, zoom by dragging (kept while points arrive), double click resets. */
export function TimeSeries(props: TimeSeriesProps) {
  const {
    buffer,
    series,
    xMax = null,
    yMin,
    yMax,
    height = 260,
    xLabel = 'step',
    continuous,
    plotRef,
    view,
    onView,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const theme = useTheme((state) => state.theme);
  const [empty, setEmpty] = useState(buffer.length === 0);
  const key = useMemo(() => JSON.stringify(series), [series]);
  const current = useRef(props);
  current.current = props;
  const drawn = useRef<SeriesPlot | null>(null);

  useEffect(() => {
    const host = box.current;
    if (!host || !seen) return;
    const plot = new SeriesPlot(host, buffer, {
      ...{ series, xMax, yMin, yMax, height, xLabel, continuous, view: current.current.view },
      onZoom: (zoom) => current.current.onView({ ...current.current.view, zoom }),
      // Said without React: pictures come four times a second.
      onDraw: () => host.parentElement?.setAttribute('aria-label', describe(current.current)),
    });
    drawn.current = plot;
    plotRef?.(plot);
    const unwatch = watchInView(host, (inView) => plot.setInView(inView));
    return () => {
      unwatch();
      drawn.current = null;
      plotRef?.(null);
      plot.destroy();
    };
  }, [seen, buffer, key, xMax, yMin, yMax, height, xLabel, continuous, theme]);

  useEffect(() => {
    const look = () => setEmpty(buffer.length === 0);
    look();
    return buffer.subscribe(look);
  }, [buffer]);
  useEffect(() => drawn.current?.show(view), [view]);

  const onKey = (event: React.KeyboardEvent) => {
    const step = KEYS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (step === null) onView({ ...view, zoom: null });
    else drawn.current?.step(step);
  };
  return (
    <div
      className="time-series"
      style={{ height }}
      role="img"
      aria-label={describe(props)}
      aria-keyshortcuts="+ - ArrowLeft ArrowRight 0"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: zooming must be reachable by keyboard
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div ref={box} className="time-series-plot" />
      {empty && <div className="time-series-waiting">{props.waiting}</div>}
      {!empty && view.zoom && isEmptyIn(buffer, view.zoom) && (
        <div className="time-series-waiting">
          No point from {view.zoom.map((x) => number(x)).join(' to ')}
        </div>
      )}
    </div>
  );
}
