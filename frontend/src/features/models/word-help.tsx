import { type Help, helpFor } from '@/canvas/help/use-help';
import type { Language, Token } from './highlight';

const HELPED: ReadonlySet<Language> = new Set(['python', 'ir']);

/** One word of a code line. What the op table knows is told under the pointer. */
export function WordHelp({ token, language, help }: { token: Token; language: Language; help: Help }) {
  const found = HELPED.has(language) && token.kind !== 'comment' ? helpFor(help, token.text) : undefined;
  if (!found) return <span data-token={token.kind}>{token.text}</span>;
  const lines = [`${found.word}: ${found.doc}`, found.rule, found.example && `e.g. ${found.example}`];
  return (
    <span data-token={token.kind} data-help title={lines.filter(Boolean).join('\n')}>
      {token.text}
    </span>
  );
}
