/**
 * A document with its past and future. `dispatch` is the only writer.
 *
 * A step holds the operations of one gesture and their inverses: a drag, a burst of typing, a paste or a layout is one
 * step, however many events it came in. Selection and viewport are no part of it.
 */
import { draftHash, EMPTY_DOC, type ModelDoc, type Position } from './document';
import { applyOperation, type Operation, overwriteKey, samePosition } from './operations';

export interface Command {
  /** What the undo button says: "Add Linear". */
  readonly name: string;
  readonly operations: readonly Operation[];
}

export interface Step {
  readonly name: string;
  readonly gesture: string | null;
  readonly at: number;
  readonly forward: readonly Operation[];
  /** In the order they are applied on undo. */
  readonly backward: readonly Operation[];
}

export interface History {
  readonly doc: ModelDoc;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  readonly savedHash: string;
}

export interface Gesture {
  /** Commands with the same key are one step. */
  readonly key: string;
  /** Milliseconds. Where given, a pause of more than `BURST_MS` starts a new step; a clock is an argument so that tests need not wait. */
  readonly at?: number;
}

/** Two commands of one gesture are at most this far apart. */
export const BURST_MS = 1000;
const MAX_STEPS = 500;

export function openHistory(doc: ModelDoc = EMPTY_DOC): History {
  return { doc, past: [], future: [], savedHash: draftHash(doc) };
}

export function dispatch(history: History, command: Command, gesture?: Gesture): History {
  const change = applyAll(history.doc, command.operations);
  if (change.forward.length === 0) return history;
  const step: Step = {
    name: command.name,
    gesture: gesture?.key ?? null,
    at: gesture?.at ?? 0,
    forward: change.forward,
    backward: change.backward,
  };
  const last = history.past.at(-1);
  const past =
    last && gesture && history.future.length === 0 && continues(last, step)
      ? [...history.past.slice(0, -1), joinSteps(last, step)]
      : [...history.past, step].slice(-MAX_STEPS);
  return { ...history, doc: change.doc, past, future: [] };
}

/** What follows from the last step becomes part of it: undo takes both back. */
export function amend(history: History, operations: readonly Operation[]): History {
  const change = applyAll(history.doc, operations);
  const last = history.past.at(-1);
  if (change.forward.length === 0) return history;
  if (!last) return { ...history, doc: change.doc };
  const { forward, backward } = joinSteps(last, { ...last, ...change });
  return {
    ...history,
    doc: change.doc,
    past: [...history.past.slice(0, -1), { ...last, forward, backward }],
  };
}

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (!step) return history;
  const { doc } = applyAll(history.doc, step.backward);
  return { ...history, doc, past: history.past.slice(0, -1), future: [endGesture(step), ...history.future] };
}

export function redo(history: History): History {
  const [step, ...future] = history.future;
  if (!step) return history;
  const { doc } = applyAll(history.doc, step.forward);
  return { ...history, doc, past: [...history.past, step], future };
}

/** Ends the open gesture, so the next command with its key starts a new step (pointer up, field left). */
export function closeGesture(history: History): History {
  const last = history.past.at(-1);
  if (!last || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), endGesture(last)] };
}

/** What was sent is saved; edits made since stay dirty, so the hash is that of the document that was sent. */
export function markSaved(history: History, sent: ModelDoc): History {
  return { ...history, savedHash: draftHash(sent) };
}

export function isDirty(history: History): boolean {
  return draftHash(history.doc) !== history.savedHash;
}

export function undoName(history: History): string | null {
  return history.past.at(-1)?.name ?? null;
}

export function redoName(history: History): string | null {
  return history.future[0]?.name ?? null;
}

function continues(last: Step, next: Step): boolean {
  return last.gesture !== null && last.gesture === next.gesture && next.at - last.at <= BURST_MS;
}

function endGesture(step: Step): Step {
  return { ...step, gesture: null };
}

function joinSteps(last: Step, next: Step): Step {
  return {
    // A drag that ends on a wire is an insertion: the last command says what the gesture came to.
    name: next.name,
    gesture: next.gesture,
    at: next.at,
    forward: keepLast([...last.forward, ...next.forward]),
    backward: keepLast([...next.backward, ...last.backward]),
  };
}

/** Of operations that overwrite one another only the last counts: a drag of 200 events stores one move a node. */
function keepLast(operations: readonly Operation[]): Operation[] {
  const seen = new Set<string>();
  const out: Operation[] = [];
  for (const operation of [...operations].reverse()) {
    const key = overwriteKey(operation);
    if (key !== null && seen.has(key)) continue;
    if (key !== null) seen.add(key);
    out.push(operation);
  }
  return out.reverse();
}

/** Operations one after another. Places that are set in a row share one new layout: auto-layout sets one a layer. */
function applyAll(start: ModelDoc, operations: readonly Operation[]) {
  let doc = start;
  const forward: Operation[] = [];
  const backward: Operation[] = [];
  let places: Record<string, Position> | null = null;
  for (const operation of operations) {
    if (operation.op === 'set_position') {
      const before = doc.layout[operation.id] ?? null;
      if (samePosition(before, operation.position)) continue;
      places ??= { ...doc.layout };
      if (doc.layout !== places) doc = { ...doc, layout: places };
      place(places, operation.id, operation.position);
      backward.push({ op: 'set_position', id: operation.id, position: before });
    } else {
      places = null;
      const applied = applyOperation(doc, operation);
      if (!applied) continue;
      doc = applied.doc;
      backward.push(applied.inverse);
    }
    forward.push(operation);
  }
  return { doc, forward, backward: backward.reverse() };
}

function place(layout: Record<string, Position>, id: string, position: Position | null): void {
  if (position) layout[id] = position;
  else delete layout[id];
}
