import { memo, useEffect, useRef } from 'react';
import { type Language, tokens } from './highlight';

export interface CodeLine {
  readonly text: string;
  /** Left of the text: a line number, or the name of a value. */
  readonly mark: string;
  /** Line of the program it comes from; null where it comes from none. */
  readonly from: number | null;
}

interface LinesProps {
  lines: readonly CodeLine[];
  language: Language;
  line: number | null;
  onLine?: (line: number | null) => void;
  label: string;
  /** The first line that matches is where reading begins: below imports and declarations. */
  startAt?: RegExp;
}

/** Code to read. Lines that come from the lit line of the program are lit too, and brought into view. */
export function CodeLines({ lines, language, line, onLine, label, startAt }: LinesProps) {
  const box = useRef<HTMLOListElement>(null);
  const own = useRef(false);
  useEffect(() => {
    if (line !== null && !own.current) bringIntoView(box.current?.querySelector<HTMLElement>('[data-lit]'));
  }, [line]);
  useEffect(() => {
    const start = lines.findIndex((one) => startAt?.test(one.text));
    const first = box.current?.children[Math.max(0, start)];
    if (start > 0 && first instanceof HTMLElement) scrollTo(first, first.offsetTop - 4);
  }, [lines, startAt]);
  return (
    <section
      className="code-box"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard too
      tabIndex={0}
      onMouseEnter={() => {
        own.current = true;
      }}
      onMouseLeave={() => {
        own.current = false;
        onLine?.(null);
      }}
    >
      <ol className="code" ref={box}>
        {lines.map((one, i) => (
          <Line
            key={i}
            text={one.text}
            mark={one.mark}
            from={one.from}
            language={language}
            lit={one.from !== null && one.from === line}
            onLine={onLine}
          />
        ))}
      </ol>
    </section>
  );
}

const Line = memo(function Line({
  text,
  mark,
  from,
  language,
  lit,
  onLine,
}: CodeLine & { language: Language; lit: boolean; onLine: ((line: number | null) => void) | undefined }) {
  return (
    <li data-lit={lit || undefined} onMouseEnter={() => onLine?.(from)}>
      <s>{mark}</s>
      <span>
        {tokens(text, language).map((token, i) => (
          <span key={i} data-token={token.kind}>
            {token.text}
          </span>
        ))}
      </span>
    </li>
  );
});

/** Up and down only: a long line must not pull its neighbours out of sight. */
function bringIntoView(line: HTMLElement | null | undefined): void {
  const box = line?.closest<HTMLElement>('.code-box');
  if (!line || !box) return;
  const above = line.offsetTop < box.scrollTop;
  const below = line.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight;
  if (above || below) scrollTo(line, line.offsetTop - box.clientHeight / 2);
}

function scrollTo(line: HTMLElement, top: number): void {
  line.closest('.code-box')?.scrollTo({ top });
}
