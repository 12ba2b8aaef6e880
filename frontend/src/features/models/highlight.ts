/** Words of a program by what they are, for colour only. Small on purpose: the real parser is the server's. */

export interface Token {
  readonly text: string;
  readonly kind: 'plain' | 'keyword' | 'call' | 'number' | 'string' | 'comment';
}

export type Language = 'python' | 'cpp' | 'ir';

const KEYWORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: new Set(
    'def return for in if else and or not from import lambda None True False is while'.split(' '),
  ),
  cpp: new Set(
    'for if else const int int32_t int64_t uint64_t struct using return extern void float double auto static inline template typename'.split(
      ' ',
    ),
  ),
  ir: new Set(['program', 'return']),
};

const PATTERNS: Readonly<Record<Language, RegExp>> = {
  python: /(#.*$)|("""[\s\S]*?"""|"[^"\n]*"|'[^'\n]*')|(\b\d[\w.]*\b)|([A-Za-z_]\w*)(?=(\s*\()?)/g,
  cpp: /(\/\/.*$|^\s*#.*$)|("[^"\n]*")|(\b\d[\w.]*\b)|([A-Za-z_]\w*)(?=(\s*\()?)/g,
  ir: /(\/\/.*$)|("[^"\n]*")|(%\d+|\b\d[\w.+-]*\b)|([A-Za-z_]\w*)(?=(\s*\()?)/g,
};

export function tokens(line: string, language: Language): Token[] {
  const out: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(PATTERNS[language])) {
    if (match.index > at) out.push({ text: line.slice(at, match.index), kind: 'plain' });
    out.push({ text: match[0], kind: kindOf(match, language) });
    at = match.index + match[0].length;
  }
  if (at < line.length) out.push({ text: line.slice(at), kind: 'plain' });
  return out;
}

function kindOf(match: RegExpMatchArray, language: Language): Token['kind'] {
  const [, comment, text, digits, word, call] = match;
  if (comment !== undefined) return 'comment';
  if (text !== undefined) return 'string';
  if (digits !== undefined) return 'number';
  if (word !== undefined && KEYWORDS[language].has(word)) return 'keyword';
  return call === undefined ? 'plain' : 'call';
}
