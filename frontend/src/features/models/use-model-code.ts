import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { Schemas } from '@/api/types';
import type { Problem } from '@/canvas/model/checks';
import type { ModelDoc } from '@/canvas/model/document';
import { freePlace, NODE_WIDTH, nodeSize } from '@/canvas/model/geometry';
import { type EditorStore, useEditor, useEditorStore } from '@/canvas/view/store';
import { docFor, docFrom } from '@/canvas/view/use-catalog';

const REST_MS = 250;
const COLUMN_GAP = 96;
type Conversion = Schemas['CodeConversion'];

interface Shown {
  readonly text: string;
  readonly places: Conversion['places'];
  readonly problems: readonly Problem[];
  /** The canvas changed and its text is being written: typing waits. */
  readonly writing: boolean;
  /** Why there is no answer, where the server cannot be reached. */
  readonly unreachable: string | null;
}

const NOTHING: Shown = { text: '', places: [], problems: [], writing: true, unreachable: null };

/** How far text and canvas of one editor have come; it outlives the pane, whose reading may end after it closed. */
interface Progress {
  turn: number;
  known: ModelDoc | null;
  /** Text was typed that the canvas does not follow yet. */
  reading: boolean;
}

const progress = new WeakMap<EditorStore, Progress>();

function progressOf(store: EditorStore): Progress {
  const found = progress.get(store) ?? { turn: 0, known: null, reading: false };
  progress.set(store, found);
  return found;
}

/**
 * The whole model as text, and the canvas as that text says it. One side waits while the other is read; answers that a
 * newer change has overtaken are dropped. While the text has a fault the last good canvas stays, to look at only.
 */
export function useModelCode() {
  const store = useEditorStore();
  const doc = useEditor((state) => state.history.doc);
  const [shown, setShown] = useState(NOTHING);
  const patch = (part: Partial<Shown>) => setShown((before) => ({ ...before, ...part }));
  useEffect(() => {
    const { known, reading } = progressOf(store);
    const current = known !== null && sameButPlaces(known, doc);
    if (shown !== NOTHING && current) return;
    if (reading && current) return readText(store, doc.code, patch);
    patch({ writing: true });
    writeText(store, patch);
  }, [doc, store]);
  const change = (text: string) => {
    patch({ text, unreachable: null });
    readText(store, text, patch);
  };
  /** Leaves the text that cannot be read; undo brings it back. */
  const beginAnew = () => {
    store.getState().write(codeCommand({ ...store.getState().history.doc, code: '' }));
  };
  return { ...shown, change, beginAnew };
}

type Patch = (part: Partial<Shown>) => void;

function codeCommand(doc: ModelDoc) {
  return { name: 'Edit code', operations: [{ op: 'set_document' as const, doc }] };
}

/** The canvas changed: its text is brought up to date, as part of the same step. */
function writeText(store: EditorStore, patch: Patch): void {
  const mine = progressOf(store);
  const turn = ++mine.turn;
  mine.reading = false;
  const asked = store.getState().history.doc;
  convert('code', asked).then(
    (answer) => {
      if (turn !== mine.turn) return;
      const current = store.getState().history.doc;
      if (answer.doc && current.code !== '' && answer.code !== current.code)
        store.getState().amend([{ op: 'set_document', doc: { ...current, code: answer.code } }]);
      mine.known = store.getState().history.doc;
      take(store, answer, patch);
    },
    (error: unknown) => turn === mine.turn && patch({ writing: false, unreachable: words(error) }),
  );
}

/** The text changed: a short rest later the canvas follows, as part of the same step. */
function readText(store: EditorStore, text: string, patch: Patch): void {
  const mine = progressOf(store);
  const turn = ++mine.turn;
  const before = store.getState().history.doc;
  const typed = before.code === text ? before : { ...before, code: text };
  store.getState().write(codeCommand(typed), { key: 'code', at: Date.now() });
  mine.reading = true;
  store.getState().setReadOnly(true);
  mine.known = typed;
  const ask = () =>
    convert('document', typed).then(
      (answer) => {
        if (turn !== mine.turn) return;
        if (answer.doc) {
          const next = placed(store, docFrom(answer.doc));
          mine.known = next;
          store.getState().amend([{ op: 'set_document', doc: next }]);
        }
        take(store, answer, patch);
      },
      (error: unknown) => turn === mine.turn && patch({ unreachable: words(error) }),
    );
  setTimeout(() => turn === mine.turn && void ask(), REST_MS);
}

function take(store: EditorStore, answer: Conversion, patch: Patch): void {
  const problems = answer.problems as readonly Problem[];
  progressOf(store).reading = false;
  store.getState().setCodeProblems(problems);
  store.getState().setReadOnly(problems.length > 0);
  patch({ text: answer.code, places: answer.places, problems, writing: false, unreachable: null });
}

function convert(to: 'code' | 'document', doc: ModelDoc): Promise<Conversion> {
  return unwrap(api().POST('/api/v1/code-conversions', { body: { to, doc: docFor(doc) } }));
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Positions are no part of the text. */
function sameButPlaces(a: ModelDoc, b: ModelDoc): boolean {
  const parts = ['nodes', 'wires', 'programs', 'groups', 'notes', 'code'] as const;
  return parts.every((part) => a[part] === b[part]);
}

/** New layers stand behind what they read. */
function placed(store: EditorStore, doc: ModelDoc): ModelDoc {
  const { catalog } = store.getState();
  let next = doc;
  for (const node of doc.nodes) {
    if (next.layout[node.id]) continue;
    const sources = doc.wires.filter((wire) => wire.target.node === node.id).map((wire) => wire.source.node);
    const from = sources.map((id) => next.layout[id]).find((at) => at !== undefined);
    const wanted = from ? { x: from.x + NODE_WIDTH + COLUMN_GAP, y: from.y } : { x: 0, y: 0 };
    const at = freePlace(catalog, next, wanted, nodeSize(catalog, next, node));
    next = { ...next, layout: { ...next.layout, [node.id]: at } };
  }
  return next;
}
