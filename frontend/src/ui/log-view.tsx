import './log-view.css';
import { Switch, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Line } from '@/api/log-buffer';
import { clock, count, plural } from './format';

const ROW = 22;
const NEAR_END = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colour codes start with the escape character
const ANSI = /\u001b\[[0-9;]*[A-Za-z]/g;

interface LogViewProps {
  lines: readonly Line[];
  /** Changes with every line, since the array is grown in place. */
  version: number;
  /** Said when there is no line. */
  empty: string;
  /** Lines that are not here, and why. */
  missing?: string;
  query: string;
  onQuery: (query: string) => void;
  title?: string;
  height?: number | string;
  /** No line follows: a short log is no higher than its lines. */
  whole?: boolean;
}

function Mark({ text, query }: { text: string; query: string }) {
  const at = query ? text.toLowerCase().indexOf(query.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + query.length)}</mark>
      {text.slice(at + query.length)}
    </>
  );
}

function useMatches(lines: readonly Line[], version: number, query: string): readonly Line[] {
  return useMemo(() => {
    const wanted = query.toLowerCase();
    return wanted && version >= 0 ? lines.filter((line) => line.text.toLowerCase().includes(wanted)) : lines;
  }, [lines, version, query]);
}

/** A log of any length: only the rows in view exist. Following stops when the reader scrolls up. */
export function LogView(props: LogViewProps) {
  const { lines, version, query, onQuery, height = '100%' } = props;
  const [follow, setFollow] = useState(true);
  const shown = useMatches(lines, version, query);
  const box = useRef<HTMLDivElement>(null);
  // A phone is narrower than most lines: they wrap there, and are as high as they turn out to be.
  const wraps = useMediaQuery('(max-width: 640px)');
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  useEffect(() => {
    if (follow && shown.length > 0) rows.scrollToIndex(shown.length - 1, { align: 'end' });
  }, [follow, version, shown.length]);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    setFollow(left < NEAR_END);
  };
  const warnings = useMemo(
    () =>
      version >= 0 ? lines.filter((line) => line.level === 'warning' || line.level === 'error').length : 0,
    [lines, version],
  );
  return (
    <section className="card clip log-card" style={props.whole ? { maxHeight: height } : { height }}>
      <div className="card-head">
        <h2>{props.title ?? 'Logs'}</h2>
        <span className="chip">{plural(lines.length, 'line')}</span>
        {warnings > 0 && <span className="chip warn">{plural(warnings, 'warning')}</span>}
        {query && <span className="caption">{count(shown.length)} match</span>}
        <span className="push">
          <TextInput
            aria-label="Search the log"
            placeholder="Search logs"
            leftSection={<IconSearch size={14} />}
            value={query}
            onChange={(event) => onQuery(event.currentTarget.value)}
            w={180}
          />
          <Switch
            size="xs"
            label="Follow"
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />
        </span>
      </div>
      {props.missing && <p className="caption log-missing">{props.missing}</p>}
      <div
        ref={box}
        className="log-lines"
        onScroll={onScroll}
        role="log"
        aria-label={props.title ?? 'Logs'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable to be scrolled by keyboard
        tabIndex={0}
      >
        {shown.length === 0 && <p className="log-empty">{query ? 'No line matches.' : props.empty}</p>}
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const line = shown[row.index]!;
            return (
              <div
                key={line.key}
                ref={wraps ? rows.measureElement : undefined}
                data-index={row.index}
                className="log-line"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <time dateTime={line.at}>{clock(line.at, true)}</time>
                <span className="log-level" data-level={line.level}>
                  {line.level === 'warning' ? 'warn' : line.level}
                </span>
                <span className="log-text" title={line.text}>
                  <Mark text={line.text.replaceAll(ANSI, '')} query={query} />
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
