import { type Compilation, type Lit, leavesOf, placesOfStage } from '@/canvas/trace/lit';
import type { CodeLine } from './code-lines';

/** A program of the IR as lines to read: one a value, after a head. `stage` null is the program as written. */
export interface IrText {
  readonly stage: number | null;
  readonly lines: readonly CodeLine[];
}

const VALUE = /^(%\d+): (.*)$/;

/** With `beside`, the text on the other side of a pass, lines that are not there are marked. */
export function irText(
  data: Compilation,
  stage: number | null,
  beside?: { text: string; change: 'gone' | 'new' },
): IrText {
  const text = irOf(data, stage);
  const spare = beside && bag(beside.text);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): CodeLine => {
      const match = VALUE.exec(line);
      if (!match) return { text: line, mark: '', focus: null };
      const value = Number(match[1]?.slice(1));
      return {
        text: match[2] ?? '',
        mark: match[1] ?? '',
        focus: { kind: 'op', stage, value },
        change: spare && !taken(spare, match[2] ?? '') ? beside.change : undefined,
      };
    });
  return { stage, lines };
}

export function irOf(data: Compilation, stage: number | null): string {
  return stage === null ? data.before : (data.stages[stage]?.ir ?? data.after);
}

/** The same operation under another number is the same: passes number values anew. */
function shape(line: string): string {
  return line.replaceAll(/%\d+/g, '%');
}

/** How many there are of each operation. */
function bag(text: string): Map<string, number> {
  const out = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = VALUE.exec(line);
    if (!match) continue;
    const key = shape(match[2] ?? '');
    out.set(key, (out.get(key) ?? 0) + 1);
  }
  return out;
}

function taken(counts: Map<string, number>, line: string): boolean {
  const key = shape(line);
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}

/** Numbers of the lines that belong to what is looked at. */
export function litLines(data: Compilation, text: IrText, lit: Lit): ReadonlySet<number> {
  const places = placesOfStage(data, text.stage);
  const leaves = leavesOf(irOf(data, text.stage));
  const out = new Set<number>();
  text.lines.forEach((line, i) => {
    if (line.focus?.kind !== 'op') return;
    const { value } = line.focus;
    const leaf = leaves.get(value);
    if (leaf === undefined ? lit.places.has(places[value] ?? -1) : lit.leaves.has(leaf)) out.add(i);
  });
  return out;
}
