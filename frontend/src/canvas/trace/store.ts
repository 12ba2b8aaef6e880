/** What is looked at in one editor, and what belongs to it. The pointer looks for a moment, a click or Enter stays. */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type Compilation, type Focus, type Lit, litBy, type Placed, sameFocus, UNLIT } from './lit';

export interface TraceState {
  readonly hovered: Focus | null;
  readonly pinned: Focus | null;
  readonly lit: Lit;
  /** Layers of the model that are looked at: on the canvas, or by a line of the model's text. */
  readonly layers: ReadonlySet<string>;
  /** Layers that something chosen beside the canvas is about, such as a relation. */
  readonly held: ReadonlySet<string>;
  /** What the shown layer compiles to. */
  readonly compiled: Compilation | undefined;
  readonly owner: string | null;
  holdLayers(ids: readonly string[]): void;
  hoverLayer(...ids: (string | null)[]): void;
  /** Those, and the layer that is compiled where something of it is looked at. */
  litLayers(): ReadonlySet<string>;
  hover(focus: Focus | null): void;
  /** Looks at it for good: what was selected in the drawing. */
  look(focus: Focus | null): void;
  /** The same; a second time lets it go. */
  pin(focus: Focus | null): void;
  setCompilation(data: Compilation | undefined, layer?: string | null): void;
  setNodes(nodes: readonly Placed[]): void;
}

const NO_LAYERS: ReadonlySet<string> = new Set();
const WHOLE: Focus = { kind: 'program' };

export type TraceStore = StoreApi<TraceState>;

export function createTraceStore(pinned: Focus | null = null): TraceStore {
  return createStore<TraceState>((set, get) => {
    let nodes: readonly Placed[] = [];
    const look = (change: Partial<Pick<TraceState, 'hovered' | 'pinned' | 'layers'>>) => {
      const { hovered, pinned, layers, compiled, owner } = get();
      const next = { hovered, pinned, layers, ...change };
      const whole = owner !== null && next.layers.has(owner);
      const focus = next.hovered ?? (whole ? WHOLE : next.pinned);
      set({ ...next, lit: litBy(focus, compiled, nodes) });
    };
    return {
      hovered: null,
      pinned,
      lit: UNLIT,
      layers: NO_LAYERS,
      held: NO_LAYERS,
      compiled: undefined,
      owner: null,
      holdLayers: (ids) => {
        if (ids.length > 0 || get().held.size > 0) set({ held: new Set(ids) });
      },
      hoverLayer: (...ids) => {
        const next = new Set(ids.filter((id) => id !== null));
        const { layers } = get();
        const same = next.size === layers.size && [...next].every((id) => layers.has(id));
        if (!same) look({ layers: next });
      },
      litLayers: () => {
        const { layers, held, hovered, pinned, compiled, owner } = get();
        const inside = (hovered !== null || pinned !== null) && compiled !== undefined;
        return new Set([...layers, ...held, ...(inside && owner !== null ? [owner] : [])]);
      },
      hover: (focus) => {
        if (!sameFocus(focus, get().hovered)) look({ hovered: focus });
      },
      look: (focus) => look({ pinned: focus }),
      pin: (focus) => look({ hovered: null, pinned: sameFocus(focus, get().pinned) ? null : focus }),
      setCompilation: (next, layer = null) => {
        set({ compiled: next, owner: layer });
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
