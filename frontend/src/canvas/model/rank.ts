/**
 * Finding a thing by a few letters: by the beginning of a word, by any part of it, or with a slip of the finger.
 *
 * Every field that fits counts by its weight and by how well it fits; the best field decides.
 */
export interface Field {
  readonly text: string;
  readonly weight: number;
}

const WHOLE = 1;
const START = 0.9;
const WORD = 0.8;
const WITHIN = 0.5;
const SLIP = 0.3;

/** The items that fit, best first; equally good ones keep their order. Of several words each must fit somewhere. */
export function rank<T>(
  items: readonly T[],
  fieldsOf: (item: T) => readonly Field[],
  query: string,
): readonly T[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/);
  const scored = items.map((item) => {
    const fields = fieldsOf(item);
    const each = words.map((word) => best(fields, word));
    return { item, score: Math.max(best(fields, text), Math.min(...each) / 2) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

function best(fields: readonly Field[], query: string): number {
  return Math.max(0, ...fields.map(({ text, weight }) => weight * fit(text.toLowerCase(), query)));
}

function fit(text: string, query: string): number {
  if (text === query) return WHOLE;
  const at = text.indexOf(query);
  if (at === 0) return START;
  if (at > 0) return /\w/.test(text.charAt(at - 1)) ? WITHIN : WORD;
  const slips = query.length < 4 ? 0 : query.length < 8 ? 1 : 2;
  return slips > 0 && text.split(/\W+/).some((word) => beginsLike(word, query, slips)) ? SLIP : 0;
}

/** Is some beginning of `word` at most so many letters from `query`? One row of edit distances at a time. */
function beginsLike(word: string, query: string, slips: number): boolean {
  let row = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (let i = 1; i <= query.length; i++) {
    const next = [i];
    for (let j = 1; j <= word.length; j++) {
      const changed = (row[j - 1] ?? 0) + (word[j - 1] === query[i - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row) <= slips;
}
