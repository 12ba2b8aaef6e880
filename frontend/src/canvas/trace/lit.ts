/**
 * What belongs together: a node of the drawing, a line of the program, operations of the IR in any stage, kernels.
 *
 * Each value of the IR knows the place in the text it comes from, so everything meets in the places: whatever is looked
 * at gives a set of them, and whatever has one of them is lit.
 */
import type { Schemas } from '@/api/types';

export type Compilation = Schemas['LayerCompilation'];
type Kernel = Compilation['kernels'][number];
export type Span = Schemas['SourceSpan'];

/** A node of the drawn program, as far as its place in the text goes. */
export interface Placed {
  readonly id: string;
  readonly span: Span;
}

/** What is looked at. `stage` is the number of a pass in the compilation, or null for the program as written. */
export type Focus =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'op'; readonly stage: number | null; readonly value: number }
  | { readonly kind: 'kernel'; readonly key: string }
  | { readonly kind: 'node'; readonly id: string }
  /** All of the layer. */
  | { readonly kind: 'program' };

/** What belongs to it. Leaves of the IR have no place of their own; they are known by name. */
export interface Lit {
  readonly places: ReadonlySet<number>;
  readonly leaves: ReadonlySet<string>;
  readonly lines: ReadonlySet<number>;
  readonly nodes: ReadonlySet<string>;
  readonly kernels: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<never> = new Set<never>();
export const UNLIT: Lit = {
  places: NOTHING,
  leaves: NOTHING,
  lines: NOTHING,
  nodes: NOTHING,
  kernels: NOTHING,
};

export function kernelKey(kernel: Pick<Kernel, 'direction' | 'name'>): string {
  return `${kernel.direction} ${kernel.name}`;
}

export function placesOfStage(data: Compilation, stage: number | null): readonly number[] {
  return stage === null ? data.places_before : (data.stages[stage]?.places ?? data.places_after);
}

function textOfStage(data: Compilation, stage: number | null): string {
  return stage === null ? data.before : (data.stages[stage]?.ir ?? data.after);
}

const LEAF = /^%(\d+): .* = (?:input|param)\(\).*name="([^"]+)"/gm;

/** Names of the leaves of an IR text by the number of their value. */
export function leavesOf(text: string): Map<number, string> {
  return new Map([...text.matchAll(LEAF)].map(([, value, name]) => [Number(value), name ?? '']));
}

/** The name a leaf of the IR has in the drawing: features are read from the vertex or the edge. */
function leafOfNode(id: string): string {
  return id.replace(/^[^.]+\./, '');
}

export function litBy(
  focus: Focus | null,
  data: Compilation | undefined,
  nodes: readonly Placed[] = [],
): Lit {
  if (!focus || !data) return UNLIT;
  const owners = data.spans.map((span) => nodeAt(nodes, span));
  const { places, leaves } = seeds(focus, data, owners);
  const lit = (place: number) => places.has(place);
  const lines = new Set([...places].map((place) => data.spans[place]?.line ?? 0));
  const owned = owners.filter((id, place): id is string => id !== null && lit(place));
  for (const node of nodes) {
    if (!leaves.has(leafOfNode(node.id))) continue;
    owned.push(node.id);
    lines.add(node.span.line);
  }
  if (focus.kind === 'line') lines.add(focus.line);
  const kernels = data.kernels
    .filter((kernel) => kernel.values.some((value) => lit(data.places_after[value] ?? -1)))
    .map(kernelKey);
  return {
    places,
    leaves,
    lines,
    nodes: new Set(focus.kind === 'node' ? [...owned, focus.id] : owned),
    kernels: focus.kind === 'kernel' ? new Set([focus.key]) : new Set(kernels),
  };
}

interface Seeds {
  places: Set<number>;
  leaves: Set<string>;
}

function seeds(focus: Focus, data: Compilation, owners: readonly (string | null)[]): Seeds {
  switch (focus.kind) {
    case 'line':
      return { places: numbers(data.spans, (span) => span.line === focus.line), leaves: new Set() };
    case 'kernel': {
      const kernel = data.kernels.find((one) => kernelKey(one) === focus.key);
      const places = kernel?.values.map((value) => data.places_after[value] ?? -1) ?? [];
      return { places: new Set(places.filter((place) => place >= 0)), leaves: new Set() };
    }
    case 'op': {
      const place = placesOfStage(data, focus.stage)[focus.value] ?? -1;
      const leaf = leavesOf(textOfStage(data, focus.stage)).get(focus.value);
      return {
        places: new Set(place >= 0 && leaf === undefined ? [place] : []),
        leaves: new Set(leaf === undefined ? [] : [leaf]),
      };
    }
    case 'program':
      return {
        places: numbers(data.spans, () => true),
        leaves: new Set(leavesOf(data.before).values()),
      };
    case 'node': {
      const places = numbers(owners, (owner) => owner === focus.id);
      return { places, leaves: new Set(places.size === 0 ? [leafOfNode(focus.id)] : []) };
    }
  }
}

function numbers<T>(items: readonly T[], test: (item: T) => boolean): Set<number> {
  return new Set(items.flatMap((item, i) => (test(item) ? [i] : [])));
}

/** The innermost node of the drawing around a place of the text. */
export function nodeAt(nodes: readonly Placed[], span: Span): string | null {
  const around = nodes.filter((node) => encloses(node.span, span));
  const [first, ...rest] = around;
  if (!first) return null;
  return rest.reduce((best, node) => (encloses(best.span, node.span) ? node : best), first).id;
}

function encloses(outer: Span, inner: Span): boolean {
  if (inner.end_line === 0) return outer.line === inner.line && outer.column === inner.column;
  const begins = outer.line < inner.line || (outer.line === inner.line && outer.column <= inner.column);
  const ends =
    outer.end_line > inner.end_line ||
    (outer.end_line === inner.end_line && outer.end_column >= inner.end_column);
  return begins && ends;
}

/** `line:8`, `op:before:12`, `op:7:12`, `kernel:forward dst_2`, `node:alpha`: how an address says it. */
export function focusText(focus: Focus): string {
  switch (focus.kind) {
    case 'line':
      return `line:${focus.line}`;
    case 'op':
      return `op:${focus.stage ?? 'before'}:${focus.value}`;
    case 'kernel':
      return `kernel:${focus.key}`;
    case 'node':
      return `node:${focus.id}`;
    case 'program':
      return 'program:all';
  }
}

const OP = /^op:(before|\d+):(\d+)$/;

/** The reverse; null for what is none. */
export function focusFrom(text: string | undefined): Focus | null {
  if (!text) return null;
  const op = OP.exec(text);
  if (op) return { kind: 'op', stage: op[1] === 'before' ? null : Number(op[1]), value: Number(op[2]) };
  const cut = text.indexOf(':');
  const rest = text.slice(cut + 1);
  switch (text.slice(0, cut)) {
    case 'line':
      return Number(rest) >= 1 ? { kind: 'line', line: Number(rest) } : null;
    case 'kernel':
      return { kind: 'kernel', key: rest };
    case 'node':
      return { kind: 'node', id: rest };
    default:
      return null;
  }
}

export function sameFocus(a: Focus | null, b: Focus | null): boolean {
  return a === b || (a !== null && b !== null && focusText(a) === focusText(b));
}
