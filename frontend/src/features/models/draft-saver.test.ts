import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiProblem } from '@/api/problem';
import { EMPTY_DOC, type ModelDoc } from '@/canvas/model/document';
import { addNode } from '@/canvas/model/edits';
import { isDirty } from '@/canvas/model/history';
import { createEditorStore, type EditorStore } from '@/canvas/view/store';
import { DraftSaver, REST_MS, type SaveState } from './draft-saver';
import type { LocalDraft, LocalDrafts } from './local-drafts';

/** The drafts of a browser, in memory. */
function memoryDrafts(): LocalDrafts & { entries: Map<string, LocalDraft> } {
  const entries = new Map<string, LocalDraft>();
  return {
    entries,
    keep: async (draft) => void entries.set(draft.model, draft),
    forget: async (model) => void entries.delete(model),
    newest: async (model) => entries.get(model) ?? null,
    models: async () => new Set(entries.keys()),
  };
}

/** A server that holds one draft and asks for its ETag. */
function server() {
  let etag = 1;
  const saved: ModelDoc[] = [];
  return {
    saved,
    offline: false,
    hold: null as Promise<void> | null,
    edit: () => {
      etag += 1;
    },
    etag: () => String(etag),
    async write(doc: ModelDoc, match: string): Promise<string> {
      await this.hold;
      if (this.offline) throw new ApiProblem(0, {});
      if (match !== String(etag)) throw new ApiProblem(412, {});
      saved.push(doc);
      etag += 1;
      return String(etag);
    },
  };
}

function add(store: EditorStore, id: string): void {
  const { dispatch, history } = store.getState();
  dispatch(addNode(history.doc, { id, type: 'linear', params: {}, title: '' }, { x: 0, y: 0 }, 'Linear'));
}

describe('the draft is saved while it is edited', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function setUp() {
    const store = createEditorStore(EMPTY_DOC);
    const remote = server();
    const drafts = memoryDrafts();
    const states: SaveState[] = [];
    const saver = new DraftSaver({
      store,
      model: 'mdl_1',
      tab: 'tab',
      etag: remote.etag(),
      write: (doc, etag) => remote.write(doc, etag),
      drafts,
      onState: (state) => states.push(state),
      now: () => 0,
    });
    return { store, remote, drafts, states, saver, stop: saver.start() };
  }

  it('a burst of edits is one request, kept in the browser until the server has it', async () => {
    const { store, remote, drafts, states } = setUp();
    add(store, 'a');
    add(store, 'b');
    expect(drafts.entries.get('mdl_1')?.doc.nodes).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    expect(remote.saved).toHaveLength(1);
    expect(states.at(-1)?.kind).toBe('saved');
    expect(drafts.entries.size).toBe(0);
  });

  it('E28: an edit made while saving is saved by the next request and never marked clean by the first', async () => {
    const { store, remote } = setUp();
    let release = () => {};
    remote.hold = new Promise((resolve) => {
      release = resolve;
    });
    add(store, 'a');
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    add(store, 'b');
    release();
    await vi.advanceTimersByTimeAsync(1);
    expect(isDirty(store.getState().history)).toBe(true);
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    expect(remote.saved.at(-1)?.nodes).toHaveLength(2);
    expect(isDirty(store.getState().history)).toBe(false);
  });

  it('a slow server gets one request at a time, each naming the draft before it', async () => {
    const { store, remote, states, saver } = setUp();
    let release = () => {};
    remote.hold = new Promise((resolve) => {
      release = resolve;
    });
    for (const id of ['a', 'b', 'c', 'd']) {
      add(store, id);
      await vi.advanceTimersByTimeAsync(REST_MS + 10);
    }
    const flushed = saver.flush();
    release();
    await vi.advanceTimersByTimeAsync(5 * REST_MS);
    await flushed;
    expect(states.map((state) => state.kind)).not.toContain('conflict');
    expect(remote.saved.at(-1)?.nodes).toHaveLength(4);
    expect(states.at(-1)?.kind).toBe('saved');
  });

  it('E5: a draft changed elsewhere stops saving, loses nothing, and goes on once that is settled', async () => {
    const { store, remote, drafts, states, saver } = setUp();
    remote.edit();
    add(store, 'mine');
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    expect(states.at(-1)?.kind).toBe('conflict');
    add(store, 'more');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(remote.saved).toHaveLength(0);
    expect(drafts.entries.get('mdl_1')?.doc.nodes).toHaveLength(2);
    saver.goOn(remote.etag());
    await vi.advanceTimersByTimeAsync(10);
    expect(remote.saved.at(-1)?.nodes).toHaveLength(2);
  });

  it('without an answer editing goes on and the draft is sent when the server is back', async () => {
    const { store, remote, states } = setUp();
    remote.offline = true;
    add(store, 'a');
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    expect(states.at(-1)?.kind).toBe('offline');
    remote.offline = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(states.at(-1)?.kind).toBe('saved');
    expect(remote.saved).toHaveLength(1);
  });

  it('undo back to what is saved sends nothing', async () => {
    const { store, remote, states } = setUp();
    add(store, 'a');
    store.getState().undo();
    await vi.advanceTimersByTimeAsync(REST_MS + 10);
    expect(remote.saved).toHaveLength(0);
    expect(states.at(-1)?.kind).toBe('saved');
  });

  it('leaving the page sends the last edit at once', async () => {
    const { store, remote, stop } = setUp();
    add(store, 'a');
    stop();
    await vi.advanceTimersByTimeAsync(1);
    expect(remote.saved).toHaveLength(1);
  });
});
