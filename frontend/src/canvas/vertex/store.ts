/** The drawing of one program while it is open: the last graph that could be drawn, what is selected, the wire in hand. */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Position } from '../model/document';
import type { Selected } from './commands';
import type { ProgramGraph } from './graph';
import { type Held, judge, type ProgramEdit, type VertexVerdict } from './judge';
import { layOut, type VertexLayout } from './layout';

export interface VertexRefused {
  readonly verdict: Extract<VertexVerdict, { ok: false }>;
  /** Where the bubble points, in pixels of the canvas element. */
  readonly at: Position;
}

export interface VertexState {
  readonly graph: ProgramGraph;
  readonly layout: VertexLayout;
  readonly selected: Selected;
  readonly inHand: Held | null;
  readonly refused: VertexRefused | null;
  /** What the server said to the last edit it could not make. */
  readonly failed: string | null;
  readonly readOnly: boolean;
  /** Sends edits of the text; the drawing follows its answer. Resolves to whether they could be made. */
  readonly edit: (edits: readonly ProgramEdit[], name: string) => Promise<boolean>;
  setGraph(graph: ProgramGraph): void;
  select(selected: Partial<Selected>): void;
  pickUp(held: Held | null): void;
  /** Ends the wire in hand at `to`: an edit, or a refusal with its reason. */
  join(from: Held, to: Held, at: Position): void;
  refuse(refused: VertexRefused | null): void;
  fail(message: string | null): void;
}

export type VertexStore = StoreApi<VertexState>;

const EMPTY: ProgramGraph = {
  source: '',
  name: '',
  doc: '',
  nodes: [],
  wires: [],
  problems: [],
  focus: null,
};

export function createVertexStore(options: Pick<VertexState, 'readOnly' | 'edit'>): VertexStore {
  return createStore<VertexState>((set, get) => ({
    ...options,
    graph: EMPTY,
    layout: layOut(EMPTY),
    selected: { node: null, wire: null },
    inHand: null,
    refused: null,
    failed: null,
    setGraph: (graph) => {
      // A text that cannot be read keeps its last drawing; only what is wrong with it is new.
      const drawn = graph.nodes.length > 0 ? graph : { ...get().graph, problems: graph.problems };
      const there = (id: string | null) => (drawn.nodes.some((node) => node.id === id) ? id : null);
      const node = there(graph.focus) ?? there(get().selected.node);
      set({
        graph: drawn,
        layout: layOut(drawn),
        selected: { node, wire: null },
        inHand: null,
        refused: null,
      });
    },
    select: ({ node = null, wire = null }) => set({ selected: { node, wire }, refused: null }),
    pickUp: (inHand) => set({ inHand, refused: null }),
    join: (from, to, at) => {
      const verdict = judge(get().graph, from, to);
      set({ inHand: null });
      if (verdict.ok) void get().edit(verdict.edits, verdict.name);
      else if (verdict.code !== 'same_port') set({ refused: { verdict, at } });
    },
    refuse: (refused) => set({ refused }),
    fail: (failed) => set({ failed }),
  }));
}

/** A program whose drawing has not been read yet takes no edit either: there is no node an edit could name. */
export const isClosed = ({ readOnly, graph }: VertexState) => readOnly || graph.nodes.length === 0;

export const VertexContext = createContext<VertexStore | null>(null);

export function useVertexStore(): VertexStore {
  const store = useContext(VertexContext);
  if (!store) throw new Error('A vertex program is drawn outside its level.');
  return store;
}

export function useVertex<T>(select: (state: VertexState) => T): T {
  return useStore(useVertexStore(), select);
}
