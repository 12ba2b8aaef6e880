import { Menu } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconTable from '@tabler/icons-react/icons/IconTable';
import { memo, useEffect, useRef, useState } from 'react';
import { csv, download } from '@/ui/download';
import { count, number } from '@/ui/format';
import type { SeriesBuffer } from './series-buffer';
import type { SeriesPlot } from './series-plot';
import { TimeSeries, type TimeSeriesProps } from './time-series';

const TABLE_ROWS = 500;
const TABLE_MS = 500;

function toCsv({ buffer, series, xLabel = 'step' }: TimeSeriesProps): string {
  const columns = series.map((s) => buffer.column(s.key));
  const rows = buffer.xs.map((x, i) => [x, ...columns.map((column) => column[i])]);
  return csv([xLabel, ...series.map((s) => s.label || s.key)], rows);
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
function PointTable(props: TimeSeriesProps) {
  const { buffer, series } = props;
  useSlowVersion(buffer);
  const from = Math.max(0, buffer.length - TABLE_ROWS);
  const columns = series.map((s) => buffer.column(s.key));
  const rows = buffer.xs.slice(from).map((x, i) => ({
    x,
    text: [x, ...columns.map((column) => number(column[from + i] ?? null, 6))].join('\t'),
  }));
  return (
    <div className="table-scroll" style={{ height: props.height ?? 260, overflowY: 'auto' }}>
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
    </div>
  );
}

/** A chart with its title, its table view and its exports. */
export function ChartCard({
  title,
  caption,
  ...props
}: TimeSeriesProps & { title: string; caption?: string }) {
  const [asTable, setAsTable] = useState(false);
  const plot = useRef<SeriesPlot | null>(null);
  const file = props.label.replaceAll(/[^A-Za-z0-9_-]+/g, '-').toLowerCase();
  const savePng = async () => {
    const blob = await plot.current?.png();
    if (blob) download(`${file}.png`, blob);
  };
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title}</h2>
        {caption && <span className="caption ellipsis">{caption}</span>}
        <span className="push">
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-pressed={asTable}
            title={asTable ? 'View as chart' : 'View as table'}
            aria-label={`${title}: ${asTable ? 'view as chart' : 'view as table'}`}
            onClick={() => setAsTable(!asTable)}
          >
            <IconTable size={14} stroke={1.75} />
          </button>
          <Menu>
            <Menu.Target>
              <button
                type="button"
                className="btn ghost small icon-only"
                aria-label={`${title}: export`}
                title="Export"
              >
                <IconDownload size={14} stroke={1.75} />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => download(`${file}.csv`, toCsv(props))}>CSV</Menu.Item>
              <Menu.Item onClick={savePng} disabled={asTable}>
                PNG
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </div>
      <div className={asTable ? '' : 'chart-body'}>
        {asTable ? (
          <PointTable {...props} />
        ) : (
          <TimeSeries
            {...props}
            plotRef={(value) => {
              plot.current = value;
            }}
          />
        )}
      </div>
    </section>
  );
}
