/**
 * Drafts in this browser, so a killed tab loses nothing. The server's draft is the real one: an entry lives only until
 * its content was saved there.
 */
import type { ModelDoc } from '@/canvas/model/document';

export interface LocalDraft {
  readonly model: string;
  readonly tab: string;
  readonly doc: ModelDoc;
  /** ETag of the server's draft these edits began from. */
  readonly etag: string;
  readonly at: number;
}

export interface LocalDrafts {
  keep(draft: LocalDraft): Promise<void>;
  forget(model: string, tab: string): Promise<void>;
  /** The newest entry of a model. */
  newest(model: string): Promise<LocalDraft | null>;
  models(): Promise<Set<string>>;
}

const STORE = 'drafts';

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('asterism', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = act(db.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function all(): Promise<LocalDraft[]> {
  return (await run('readonly', (store) => store.getAll())) as LocalDraft[];
}

/** Private windows of some browsers have no IndexedDB: editing goes on without this net. */
function orElse<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch(() => otherwise);
}

export const browserDrafts: LocalDrafts = {
  keep: async (draft) => {
    await orElse(
      run('readwrite', (store) => store.put(draft, `${draft.model} ${draft.tab}`)),
      undefined,
    );
  },
  forget: async (model, tab) => {
    await orElse(
      run('readwrite', (store) => store.delete(`${model} ${tab}`)),
      undefined,
    );
  },
  newest: async (model) => {
    const found = (await orElse(all(), [])).filter((draft) => draft.model === model);
    return found.sort((a, b) => b.at - a.at)[0] ?? null;
  },
  models: async () => new Set((await orElse(all(), [])).map((draft) => draft.model)),
};

/** One word for this tab that survives a reload. */
export function tabId(fresh: () => string): string {
  const known = sessionStorage.getItem('asterism.tab');
  if (known) return known;
  const id = fresh();
  sessionStorage.setItem('asterism.tab', id);
  return id;
}
