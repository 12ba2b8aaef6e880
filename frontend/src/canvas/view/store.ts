/**
 * One editor's state: the document with its history, what the server found in it, what is selected, and the wire in hand.
 * Components read slices; `dispatch` is the only way to change the document.
 */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type Catalog, EMPTY_CATALOG } from '../model/catalog';
import { type Checks, keptProblems, NO_CHECKS, type Problem } from '../model/checks';
import { type Held, type OpenConnection, openConnection, type Refusal } from '../model/connect';
import type { ModelDoc, Position } from '../model/document';
import * as past from '../model/history';
import { idsOf } from '../model/ids';
import type { Operation } from '../model/operations';
import type { Relation } from '../model/relations';
import { type Known, localTypes, type Sizes, SYMBOLS, settled } from '../model/shapes';

export interface Refused {
  readonly refusal: Refusal;
  readonly from: Held;
  readonly to: Held;
  /** Where the bubble points, in pixels of the canvas element. */
  readonly at: Position;
}

/** A wire let go over empty canvas: the palette offers what could take it. */
export interface Dropped {
  readonly from: Held;
  readonly at: Position;
  /** Where the new node goes, in the canvas' own coordinates. */
  readonly place: Position;
}

export interface EditorState {
  readonly history: past.History;
  readonly catalog: Catalog;
  /** Problems are the server's; types are told at once by its rules, until its answer comes. */
  readonly checks: Checks;
  /** What the chosen dataset fixes. */
  readonly sizes: Sizes;
  /** Relations of the chosen dataset; none before one is chosen. */
  readonly relations: readonly Relation[];
  /** The server's last answer. */
  readonly answered: Known;
  readonly selectedNodes: ReadonlySet<string>;
  readonly selectedWires: ReadonlySet<string>;
  readonly inHand: OpenConnection | null;
  readonly refused: Refused | null;
  readonly dropped: Dropped | null;
  readonly readOnly: boolean;
  /** The wire that what is dragged would be put on, were it let go now. */
  readonly overWire: string | null;
  /** The layout being worked out, which can be cancelled. */
  readonly arranging: { cancel(): void } | null;
  dispatch(command: past.Command, gesture?: past.Gesture): void;
  /** While text is read the canvas is looked at only; the text itself is written past that. */
  setReadOnly(readOnly: boolean): void;
  write(command: past.Command, gesture?: past.Gesture): void;
  /** What follows from the last step, so that undo takes both back. */
  amend(operations: readonly Operation[]): void;
  setCodeProblems(problems: readonly Problem[]): void;
  closeGesture(): void;
  undo(): void;
  redo(): void;
  open(doc: ModelDoc, saved: ModelDoc): void;
  markSaved(sent: ModelDoc): void;
  setSizes(sizes: Sizes, relations?: readonly Relation[]): void;
  /** What the server found, or heard of it; `doc` is the one an answer is about. */
  setChecks(checks: Partial<Checks>, doc?: ModelDoc): void;
  select(nodes: ReadonlySet<string>, wires?: ReadonlySet<string>): void;
  pickUp(held: Held): void;
  letGo(): void;
  refuse(refused: Refused | null): void;
  drop(dropped: Dropped | null): void;
  hover(overWire: string | null): void;
  arrange(arranging: { cancel(): void } | null): void;
}

export type EditorStore = StoreApi<EditorState>;

const NONE: ReadonlySet<string> = new Set();

export function createEditorStore(
  doc: ModelDoc,
  catalog: Catalog = EMPTY_CATALOG,
  readOnly = false,
): EditorStore {
  return createStore<EditorState>((set, get) => {
    const change = (next: (history: past.History) => past.History) => {
      const history = next(get().history);
      if (history === get().history) return;
      set({
        history,
        ...pruned(get(), history.doc),
        checks: foretold(get(), history.doc),
        refused: null,
        dropped: null,
      });
    };
    return {
      history: past.openHistory(doc),
      catalog,
      checks: NO_CHECKS,
      sizes: SYMBOLS,
      relations: [],
      answered: { doc, types: NO_CHECKS.types },
      selectedNodes: NONE,
      selectedWires: NONE,
      inHand: null,
      refused: null,
      dropped: null,
      readOnly,
      overWire: null,
      arranging: null,
      dispatch: (command, gesture) => {
        if (!get().readOnly) change((history) => past.dispatch(history, command, gesture));
      },
      setReadOnly: (next) => set({ readOnly: next }),
      write: (command, gesture) => change((history) => past.dispatch(history, command, gesture)),
      amend: (operations) => change((history) => past.amend(history, operations)),
      setCodeProblems: (problems) => set({ checks: withProblems(get().checks, problems) }),
      closeGesture: () => set({ history: past.closeGesture(get().history) }),
      undo: () => change(past.undo),
      redo: () => change(past.redo),
      open: (next, saved) =>
        set({
          history: past.markSaved(past.openHistory(next), saved),
          checks: foretold(get(), next),
          selectedNodes: NONE,
          selectedWires: NONE,
        }),
      markSaved: (sent) => set({ history: past.markSaved(get().history, sent) }),
      setSizes: (sizes, relations = []) => {
        const { checks, history } = get();
        set({ sizes, relations, checks: { ...checks, types: typesOf({ ...get(), sizes }, history.doc) } });
      },
      setChecks: (found, doc) => {
        const { checks: before, answered } = get();
        const types = settled(before.types, found.types ?? before.types);
        const next = withProblems({ ...before, ...found, types }, before.problems.filter(isOfCode));
        const checks = { ...next, problems: keptProblems(before.problems, next.problems) };
        set({ checks, answered: doc ? { doc, types } : answered });
      },
      select: (nodes, wires = NONE) => {
        if (!sameSet(nodes, get().selectedNodes) || !sameSet(wires, get().selectedWires)) {
          set({ selectedNodes: nodes, selectedWires: wires });
        }
      },
      pickUp: (held) => {
        const { history, checks } = get();
        set({
          inHand: openConnection(history.doc, get().catalog, checks.types, held),
          refused: null,
          dropped: null,
        });
      },
      letGo: () => set({ inHand: null }),
      refuse: (refused) => set({ refused }),
      drop: (dropped) => set({ dropped }),
      hover: (overWire) => {
        if (overWire !== get().overWire) set({ overWire });
      },
      arrange: (arranging) => set({ arranging }),
    };
  });
}

/** The checks of a document the server has not seen: its types by the rules of the catalogue, all else as before. */
function foretold(state: EditorState, doc: ModelDoc): Checks {
  const before = state.history.doc;
  const same = before.nodes === doc.nodes && before.wires === doc.wires && before.programs === doc.programs;
  return same ? state.checks : { ...state.checks, types: typesOf(state, doc), stale: true };
}

function typesOf({ catalog, sizes, answered, checks }: EditorState, doc: ModelDoc): Checks['types'] {
  return settled(checks.types, localTypes(catalog, doc, sizes, answered));
}

/** Faults of the model's text come and go with the text, not with a validation. */
function withProblems(checks: Checks, ofCode: readonly Problem[]): Checks {
  if (ofCode.length === 0 && !checks.problems.some(isOfCode)) return checks;
  return { ...checks, problems: [...checks.problems.filter((problem) => !isOfCode(problem)), ...ofCode] };
}

function isOfCode(problem: Problem): boolean {
  return problem.pointer === '/code';
}

/** What is selected stays selected as long as it is there. */
function pruned(state: EditorState, doc: ModelDoc): Pick<EditorState, 'selectedNodes'> {
  const ids = new Set(idsOf(doc));
  const kept = [...state.selectedNodes].filter((id) => ids.has(id));
  return { selectedNodes: kept.length === state.selectedNodes.size ? state.selectedNodes : new Set(kept) };
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}

export const EditorContext = createContext<EditorStore | null>(null);

export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (!store) throw new Error('The canvas is used outside an editor.');
  return store;
}

export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditorStore(), select);
}
