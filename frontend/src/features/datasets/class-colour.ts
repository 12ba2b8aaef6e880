const SERIES = 8;

/** The colour of a class, by its number; past eight they begin again, so names always stand beside them. */
export function classColour(index: number | null): string {
  return index === null ? 'var(--border-strong)' : `var(--c${(index % SERIES) + 1})`;
}
