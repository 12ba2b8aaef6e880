import 'uplot/dist/uPlot.min.css';
import './time-series.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTheme } from '@/ui/theme';
import type { SeriesBuffer } from './series-buffer';
import { type SeriesLook, SeriesPlot } from './series-plot';

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
  plotRef?: (plot: SeriesPlot | null) => void;
}

/** True once the element has been in view: charts below the fold cost nothing until then. */
function useSeen(ref: React.RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || seen) return;
    if (typeof IntersectionObserver === 'undefined') return setSeen(true);
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, seen]);
  return seen;
}

function describe(props: TimeSeriesProps): string {
  const last = props.series.map((s) => ({ s, at: props.buffer.last(s.key) })).filter(({ at }) => at !== null);
  if (last.length === 0) return `${props.label}: no point yet`;
  const words = last.map(({ s, at }) => `${s.label} ${at!.value.toPrecision(4)}`);
  return `${props.label}: ${words.join(', ')} at ${props.xLabel ?? 'step'} ${last[0]!.at!.step}`;
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
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const theme = useTheme((state) => state.theme);
  const [empty, setEmpty] = useState(buffer.length === 0);
  const key = useMemo(() => JSON.stringify(series), [series]);

  useEffect(() => {
    const host = box.current;
    if (!host || !seen) return;
    const plot = new SeriesPlot(host, buffer, { series, xMax, yMin, yMax, height, xLabel, continuous });
    plotRef?.(plot);
    const stop = buffer.subscribe(() => setEmpty(buffer.length === 0));
    return () => {
      stop();
      plotRef?.(null);
      plot.destroy();
    };
  }, [seen, buffer, key, xMax, yMin, yMax, height, xLabel, continuous, theme]);

  return (
    <div className="time-series" style={{ height }} role="img" aria-label={describe(props)}>
      <div ref={box} className="time-series-plot" />
      {empty && <div className="time-series-waiting">{props.waiting}</div>}
    </div>
  );
}
