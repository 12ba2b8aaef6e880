/** What is looked at in one editor, and what belongs to it. The pointer looks for a moment, a click or Enter stays. */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type Compilation, type Focus, type Lit, litBy, type Placed, sameFocus, UNLIT } from './lit';

export interface TraceState {
  readonly hovered: Focus | null;
  readonly pinned: Focus | null;
  readonly lit: Lit;
  hover(focus: Focus | null): void;
  /** Looks at it for good: what was selected in the drawing. */
  look(focus: Focus | null): void;
  /** The same; a second time lets it go. */
  pin(focus: Focus | null): void;
  setCompilation(data: Compilation | undefined): void;
  setNodes(nodes: readonly Placed[]): void;
}

export type TraceStore = StoreApi<TraceState>;

export function createTraceStore(pinned: Focus | null = null): TraceStore {
  return createStore<TraceState>((set, get) => {
    let data: Compilation | undefined;
    let nodes: readonly Placed[] = [];
    const look = (change: Partial<Pick<TraceState, 'hovered' | 'pinned'>>) => {
      const next = { hovered: get().hovered, pinned: get().pinned, ...change };
      set({ ...next, lit: litBy(next.hovered ?? next.pinned, data, nodes) });
    };
    return {
      hovered: null,
      pinned,
      lit: UNLIT,
      hover: (focus) => {
        if (!sameFocus(focus, get().hovered)) look({ hovered: focus });
      },
      look: (focus) => look({ pinned: focus }),
      pin: (focus) => look({ hovered: null, pinned: sameFocus(focus, get().pinned) ? null : focus }),
      setCompilation: (next) => {
        data = next;
        look({});
      },
      setNodes: (next) => {
        nodes = next;
        look({});
      },
    };
  });
}

export const TraceContext = createContext<TraceStore | null>(null);

export function useTraceStore(): TraceStore {
  const store = useContext(TraceContext);
  if (!store) throw new Error('What belongs together is asked outside an editor.');
  return store;
}

export function useTrace<T>(select: (state: TraceState) => T): T {
  return useStore(useTraceStore(), select);
}

/** The lines of the program that belong to what is looked at. */
export function useLitLines(): ReadonlySet<number> {
  return useTrace((state) => state.lit.lines);
}
