import { createContext, useContext } from 'react';
import type { Mark } from '../model/doc-diff';

const NONE: ReadonlyMap<string, Mark> = new Map();

/** What differs in the drawing, by node and wire id. Empty wherever a model is edited. */
export const MarksContext = createContext<ReadonlyMap<string, Mark>>(NONE);

export function useMark(id: string): Mark | undefined {
  return useContext(MarksContext).get(id);
}

export const SIGNS: Readonly<Record<Mark, string>> = { added: '+', removed: '−', changed: '~' };

/** A difference as colour, sign and word: none of them alone. */
export function MarkBadge({ mark }: { mark: Mark }) {
  return (
    <span className="mark-badge" data-mark={mark}>
      <b aria-hidden="true">{SIGNS[mark]}</b> {mark}
    </span>
  );
}
