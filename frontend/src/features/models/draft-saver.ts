/**
 * Saves the draft while it is edited.
 *
 * 1. Every change is kept in this browser at once or within 150 ms, and sent to the server after a short rest.
 * 2. One request at a time, each naming the draft it began from (If-Match).
 * 3. A late answer marks clean only what was sent; edits made meanwhile go with the next request.
 * 4. 412 stops saving until a person decides; no answer is tried again, longer each time.
 */
import { ApiProblem } from '@/api/problem';
import type { ModelDoc } from '@/canvas/model/document';
import { isDirty } from '@/canvas/model/history';
import type { EditorStore } from '@/canvas/view/store';
import type { LocalDrafts } from './local-drafts';

export type SaveState =
  | { readonly kind: 'saved'; readonly at: number | null }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly message: string };

export interface SaverParts {
  readonly store: EditorStore;
  readonly model: string;
  readonly tab: string;
  /** The tab whose draft was brought back when the editor opened, if any: saved with this one's, it is forgotten too. */
  readonly adopted?: string | null;
  readonly etag: string;
  readonly write: (doc: ModelDoc, etag: string) => Promise<string>;
  readonly drafts: LocalDrafts;
  readonly onState: (state: SaveState) => void;
  readonly now: () => number;
}

export const REST_MS = 700;
const KEEP_MS = 150;
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 15_000;

export class DraftSaver {
  etag: string;
  private keeping: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | null = null;
  private tries = 0;
  private stopped = false;
  private conflict = false;
  private seen: ModelDoc;

  constructor(private readonly parts: SaverParts) {
    this.etag = parts.etag;
    this.seen = parts.store.getState().history.doc;
  }

  /** Follows the store until the returned function is called. */
  start(): () => void {
    const leave = this.parts.store.subscribe((state) => {
      if (state.history.doc !== this.seen) this.changed(state.history.doc);
    });
    if (this.dirty()) this.changed(this.seen);
    else void this.forget();
    return () => {
      leave();
      void this.flush().finally(() => {
        this.stopped = true;
        clearTimeout(this.timer);
      });
    };
  }

  /** Sends what is not saved yet, now. Resolves when the server has it; rejects with the reason it does not. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.send(true);
  }

  /** Goes on from another draft of the server after a conflict was settled. */
  goOn(etag: string): void {
    this.etag = etag;
    this.conflict = false;
    this.tries = 0;
    if (this.dirty()) this.schedule(0);
    else void this.settle();
  }

  /** A change is kept at once; the steps of a drag or a burst of typing, which copy the whole draft, a few times a second. */
  private keepSoon(): void {
    const going = this.parts.store.getState().history.past.at(-1)?.gesture != null;
    if (!going) this.keep();
    else this.keeping ??= setTimeout(() => this.keep(), KEEP_MS);
  }

  private keep(): void {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const { model, tab, drafts, now } = this.parts;
    if (this.dirty()) void drafts.keep({ model, tab, doc: this.seen, etag: this.etag, at: now() });
  }

  private changed(doc: ModelDoc): void {
    this.seen = doc;
    if (!this.dirty()) {
      if (!this.sending && !this.conflict) void this.settle();
      return;
    }
    this.keepSoon();
    if (this.conflict) return;
    this.parts.onState({ kind: 'waiting' });
    this.schedule(REST_MS);
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.send(false), ms);
  }

  /** One at a time: whoever waited looks again, since another may have gone first. */
  private async send(loud: boolean): Promise<void> {
    while (this.sending) await this.sending;
    if (this.conflict || !this.dirty()) return;
    let failure: unknown = null;
    this.sending = this.write().catch((error: unknown) => {
      failure = error;
    });
    await this.sending;
    this.sending = null;
    if (failure !== null) {
      this.failed(failure);
      if (loud) throw failure;
    } else if (this.dirty()) this.schedule(REST_MS);
    else await this.settle();
  }

  private async write(): Promise<void> {
    const { store, write, onState } = this.parts;
    const doc = store.getState().history.doc;
    onState({ kind: 'saving' });
    this.etag = await write(doc, this.etag);
    this.tries = 0;
    store.getState().markSaved(doc);
  }

  private async settle(): Promise<void> {
    clearTimeout(this.timer);
    this.parts.onState({ kind: 'saved', at: this.parts.now() });
    await this.forget();
  }

  /** What the server has needs no copy here. */
  private async forget(): Promise<void> {
    const { drafts, model, tab, adopted } = this.parts;
    await drafts.forget(model, tab);
    if (adopted && adopted !== tab) await drafts.forget(model, adopted);
  }

  private failed(error: unknown): void {
    const status = error instanceof ApiProblem ? error.status : 0;
    if (status === 412) {
      this.conflict = true;
      this.parts.onState({ kind: 'conflict' });
    } else if (status === 0 || status >= 500) {
      this.tries += 1;
      this.parts.onState({ kind: 'offline' });
      this.schedule(Math.min(LONGEST_RETRY_MS, RETRY_MS * this.tries));
    } else
      this.parts.onState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }

  private dirty(): boolean {
    return isDirty(this.parts.store.getState().history);
  }
}
