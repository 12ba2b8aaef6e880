import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { useHelp } from '@/canvas/help/use-help';
import { type Focus, sameFocus } from '@/canvas/trace/lit';
import { useTraceStore } from '@/canvas/trace/store';
import { type Language, tokens } from './highlight';
import { WordHelp } from './word-help';

export interface CodeLine {
  readonly text: string;
  /** Left of the text: a line number, or the name of a value. */
  readonly mark: string;
  /** What it stands for when it is looked at; null where it stands for nothing. */
  readonly focus: Focus | null;
  /** Only on this side of a pass: gone after it, or new. */
  readonly change?: 'gone' | 'new' | undefined;
}

interface LinesProps {
  lines: readonly CodeLine[];
  language: Language;
  /** Numbers of the lines, from 0, that belong to what is looked at. */
  lit: ReadonlySet<number>;
  label: string;
  /** The first line that matches is where reading begins: below imports and declarations. */
  startAt?: RegExp;
}

const SIGNS = { gone: '−', new: '+' } as const;

/** Code to read. A line is looked at under the pointer or by the arrow keys; Enter or a click keeps it. */
export function CodeLines({ lines, language, lit, label, startAt }: LinesProps) {
  const box = useRef<HTMLElement>(null);
  const own = useRef(false);
  const [active, setActive] = useState(-1);
  const trace = useTraceStore();
  useEffect(() => {
    const [first] = [...lit].sort((a, b) => a - b);
    if (first !== undefined && !own.current) bringIntoView(box.current, first);
  }, [lit]);
  useEffect(() => {
    const start = lines.findIndex((one) => startAt?.test(one.text));
    const first = box.current?.querySelectorAll<HTMLElement>('li')[Math.max(0, start)];
    if (start > 0 && first) box.current?.scrollTo({ top: first.offsetTop - 4 });
  }, [lines, startAt]);
  const look = (i: number) => trace.getState().hover(lines[i]?.focus ?? null);
  const go = (i: number) => {
    const next = Math.min(lines.length - 1, Math.max(0, i));
    setActive(next);
    bringIntoView(box.current, next);
    look(next);
  };
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }[event.key];
    if (by !== undefined) go(active + by);
    else if (event.key === 'Enter' && lines[active]?.focus) trace.getState().pin(lines[active].focus);
    else if (event.key === 'Escape') trace.getState().pin(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const id = (i: number) => `${label.replaceAll(' ', '-')}-${i}`;
  return (
    <section
      ref={box}
      className="code-box"
      aria-label={label}
      onMouseEnter={() => {
        own.current = true;
      }}
      onMouseLeave={() => {
        own.current = false;
        trace.getState().hover(null);
      }}
    >
      <ol
        className="code"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: lines are chosen, and they are numbered
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={active >= 0 ? id(active) : undefined}
        onKeyDown={keys}
        onFocus={() => {
          own.current = true;
        }}
        onBlur={() => {
          own.current = false;
          setActive(-1);
          trace.getState().hover(null);
        }}
      >
        {lines.map((one, i) => (
          <Line
            key={i}
            line={one}
            id={id(i)}
            language={language}
            lit={lit.has(i)}
            active={i === active}
            onLook={() => look(i)}
            onPin={() => one.focus && trace.getState().pin(one.focus)}
          />
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  line: CodeLine;
  id: string;
  language: Language;
  lit: boolean;
  active: boolean;
  onLook: () => void;
  onPin: () => void;
}

const Line = memo(
  function Line({ line, id, language, lit, active, onLook, onPin }: LineProps) {
    const help = useHelp();
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its options
      <li
        id={id}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: lines are chosen, and they are numbered
        role="option"
        aria-selected={lit}
        tabIndex={-1}
        data-lit={lit || undefined}
        data-active={active || undefined}
        data-change={line.change}
        onMouseEnter={onLook}
        onClick={onPin}
      >
        <s>{line.mark}</s>
        {line.change !== undefined && <i className="code-sign">{SIGNS[line.change]}</i>}
        <span>
          {tokens(line.text, language).map((token, i) => (
            <WordHelp key={i} token={token} language={language} help={help} />
          ))}
        </span>
      </li>
    );
  },
  (a, b) => sameLine(a.line, b.line) && a.lit === b.lit && a.active === b.active && a.id === b.id,
);

/** A new answer of the compiler mostly says the same. */
function sameLine(a: CodeLine, b: CodeLine): boolean {
  return a.text === b.text && a.mark === b.mark && a.change === b.change && sameFocus(a.focus, b.focus);
}

/** Up and down only: a long line must not pull its neighbours out of sight. */
function bringIntoView(box: HTMLElement | null, number: number): void {
  const line = box?.querySelectorAll<HTMLElement>('li')[number];
  if (!box || !line) return;
  const above = line.offsetTop < box.scrollTop;
  const below = line.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight;
  if (above || below) box.scrollTo({ top: line.offsetTop - box.clientHeight / 2 });
}
