import { Menu } from '@mantine/core';
import IconTable from '@tabler/icons-react/icons/IconTable';
import { memo, useEffect, useRef, useState } from 'react';
import { ExportMenu } from '@/ui/export/export-menu';
import type { TableData } from '@/ui/export/table-data';
import { count, number } from '@/ui/format';
import { TableScroll } from '@/ui/table-scroll';
import { type ChartView, chartId, useChartView } from './chart-view';
import { Legend } from './legend';
import type { SeriesBuffer } from './series-buffer';
import type { SeriesPlot } from './series-plot';
import { TimeSeries, type TimeSeriesProps } from './time-series';

const TABLE_ROWS = 500;
const TABLE_MS = 500;

type CardProps = Omit<TimeSeriesProps, 'view' | 'onView' | 'plotRef'>;

/** The points that are drawn: lines in view, steps in view. */
export function drawnPoints({ buffer, series, xLabel = 'step' }: CardProps, view: ChartView): TableData {
  const shown = series.filter((s) => !view.hidden.includes(s.key));
  const columns = shown.map((s) => buffer.column(s.key));
  const [low, high] = view.zoom ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rows = buffer.xs.flatMap((x, i) =>
    x >= low && x <= high ? [[x, ...columns.map((column) => column[i])]] : [],
  );
  return { head: [xLabel, ...shown.map((s) => s.label || s.key)], rows };
}

/** Redraws when the buffer has grown, but not at the pace of a fast job. */
function useSlowVersion(buffer: SeriesBuffer): number {
  const [version, setVersion] = useState(buffer.version);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const settle = () => {
      timer = null;
      setVersion(buffer.version);
    };
    const stop = buffer.subscribe(() => {
      timer ??= setTimeout(settle, TABLE_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [buffer]);
  return version;
}

/** A row whose text has not changed is not drawn again. */
const Row = memo(function Row({ text }: { text: string }) {
  return (
    <tr>
      {text.split('\t').map((cell, i) => (
        <td key={i} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
});

/** The chart's points in words and numbers, newest first. */
function PointTable(props: CardProps) {
  const { buffer, series } = props;
  useSlowVersion(buffer);
  const from = Math.max(0, buffer.length - TABLE_ROWS);
  const columns = series.map((s) => buffer.column(s.key));
  const rows = buffer.xs.slice(from).map((x, i) => ({
    x,
    text: [x, ...columns.map((column) => number(column[from + i] ?? null, 6))].join('\t'),
  }));
  return (
    <TableScroll
      label={`Points of ${props.label}`}
      style={{ height: props.height ?? 260, overflowY: 'auto' }}
    >
      {from > 0 && (
        <p className="caption card-body">
          Newest {count(TABLE_ROWS)} of {count(buffer.length)}; the CSV has all.
        </p>
      )}
      <table className="table">
        <thead>
          <tr>
            <th className="num">{props.xLabel ?? 'step'}</th>
            {series.map((s) => (
              <th key={s.key} className="num">
                {s.label || s.key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.reverse().map((row) => (
            <Row key={row.x} text={row.text} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function TableSwitch(props: { title: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      className="btn ghost small icon-only"
      aria-pressed={props.on}
      title={props.on ? 'View as chart' : 'View as table'}
      aria-label={`${props.title}: ${props.on ? 'view as chart' : 'view as table'}`}
      onClick={() => props.onChange(!props.on)}
    >
      <IconTable size={14} stroke={1.75} />
    </button>
  );
}

interface ChartCardProps extends CardProps {
  title: string;
  caption?: string;
  /** The chart's name in the page's address; its title where it is the only one with it. */
  id?: string;
  /** False where the page has a legend for all its charts. */
  legend?: boolean;
}

/**
 * A chart with its title, its legend, its table view and its exports; what the reader made of it is kept by the page.
 * New points are the buffer's business: the card is drawn again only when it is told something else.
 */
export const ChartCard = memo(function ChartCard(given: ChartCardProps) {
  const { title, caption, id = chartId(title), legend = true, ...props } = given;
  const [asTable, setAsTable] = useState(false);
  const [view, setView] = useChartView(id);
  const plot = useRef<SeriesPlot | null>(null);
  const card = useRef<HTMLElement>(null);
  const step = (scale: number) => plot.current?.step({ scale });
  return (
    <section className="card" ref={card}>
      <div className="card-head">
        <h2>{title}</h2>
        {caption && (
          <span className="caption ellipsis" title={caption}>
            {caption}
          </span>
        )}
        <span className="push" data-export="no">
          {view.zoom && !asTable && (
            <button
              type="button"
              className="btn small"
              onClick={() => setView({ ...view, zoom: null })}
              aria-label={`${title}: show all`}
            >
              Show all
            </button>
          )}
          <TableSwitch title={title} on={asTable} onChange={setAsTable} />
          <ExportMenu
            title={title}
            file={props.label}
            target={card}
            table={() => drawnPoints(props, view)}
            png={asTable ? undefined : async () => (await plot.current?.png()) ?? null}
          >
            {!asTable && (
              <>
                <Menu.Divider />
                <Menu.Item onClick={() => step(0.5)}>Zoom in</Menu.Item>
                <Menu.Item onClick={() => step(2)}>Zoom out</Menu.Item>
              </>
            )}
          </ExportMenu>
        </span>
      </div>
      {legend && !asTable && props.series.length > 1 && (
        <Legend
          title={title}
          series={props.series}
          hidden={view.hidden}
          onHidden={(hidden) => setView({ ...view, hidden })}
        />
      )}
      <div className={asTable ? '' : 'chart-body'}>
        {asTable ? (
          <PointTable {...props} />
        ) : (
          <TimeSeries
            {...props}
            view={view}
            onView={setView}
            plotRef={(value) => {
              plot.current = value;
            }}
          />
        )}
      </div>
    </section>
  );
});
