import './code.css';
import { useEffect, useMemo, useRef } from 'react';

const LINE = 18;
const NO_LINES: readonly number[] = [];

// One pass over the text: comments, strings, preprocessor lines, numbers, words.
const TOKEN =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*")|(#[a-z]+)|\b(\d[\w.+-]*)\b|([A-Za-z_]\w*)/g;
const KEYWORDS: ReadonlySet<string> = new Set(
  `alignas auto bool break case char class const constexpr continue default do double else enum extern false float for
  if inline int int32_t int64_t long namespace noexcept nullptr return short signed size_t sizeof static struct switch
  template true typedef typename uint32_t uint64_t unsigned using void volatile while __restrict__ restrict`.split(
    /\s+/,
  ),
);

interface Piece {
  text: string;
  kind: string;
}

function kindOf(match: RegExpExecArray, text: string): string {
  if (match[1]) return 'comment';
  if (match[2]) return 'string';
  if (match[3]) return 'keyword';
  if (match[4]) return 'number';
  if (KEYWORDS.has(match[5]!)) return 'keyword';
  return text[match.index + match[5]!.length] === '(' ? 'function' : '';
}

/** Cuts C-like source into coloured pieces. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > last) found.push({ text: text.slice(last, match.index), kind: '' });
    found.push({ text: match[0], kind: kindOf(match as RegExpExecArray, text) });
    last = match.index + match[0].length;
  }
  found.push({ text: text.slice(last), kind: '' });
  return found;
}

/**
 * Source to read, with line numbers, scrolled to where `start` first matches or to the first line in `marked`, whose lines
 * are lit; to edit source use the editor.
 */
export function Code(props: { text: string; label: string; start?: RegExp; marked?: readonly number[] }) {
  const { text, label, start, marked = NO_LINES } = props;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const at = start ? text.search(start) : -1;
    const line = at < 0 ? Math.max(0, (marked[0] ?? 0) - 4) : text.slice(0, at).split('\n').length - 1;
    if (box.current) box.current.scrollTop = line * LINE;
  }, [text, start, marked]);
  const parts = useMemo(() => pieces(text), [text]);
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n').length, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable to be scrolled by keyboard
    <section ref={box} className="code" aria-label={label} tabIndex={0}>
      <pre className="code-lines" aria-hidden="true">
        {Array.from({ length: lines }, (_, i) => i + 1).join('\n')}
      </pre>
      <pre className="code-text">
        {marked.map((line) => (
          <i key={line} className="code-mark" style={{ top: (line - 1) * LINE + 8 }} />
        ))}
        {parts.map((part, i) => (
          <span key={i} className={part.kind ? `code-${part.kind}` : undefined}>
            {part.text}
          </span>
        ))}
      </pre>
    </section>
  );
}
