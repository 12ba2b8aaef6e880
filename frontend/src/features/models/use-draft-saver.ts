import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { replaceAll } from '@/canvas/model/edits';
import { useEditorStore } from '@/canvas/view/store';
import { readDraft, writeDraft } from './api';
import { DraftSaver, type SaveState } from './draft-saver';
import { browserDrafts } from './local-drafts';

/** Autosave of the draft for as long as the editor is open. */
export function useDraftSaver(model: string, tab: string, etag: string, adopted: string | null) {
  const store = useEditorStore();
  const queries = useQueryClient();
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: null });
  const saver = useMemo(
    () =>
      new DraftSaver({
        store,
        model,
        tab,
        adopted,
        etag,
        write: (doc, match) => writeDraft(model, doc, match),
        drafts: browserDrafts,
        onState: (next) =>
          setState((before) => (before.kind === 'waiting' && next.kind === 'waiting' ? before : next)),
        now: Date.now,
      }),
    [store, model, tab, etag, adopted],
  );
  useEffect(() => {
    const stop = saver.start();
    const hide = () => {
      if (document.hidden) void saver.flush().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      stop();
      void queries.invalidateQueries({ queryKey: ['models'] });
    };
  }, [saver, queries]);
  /** Back to what the server has, as a step that undo takes back. */
  const discard = async () => {
    const theirs = await readDraft(model);
    const { dispatch, history, markSaved } = store.getState();
    dispatch(replaceAll(history.doc, theirs.doc, 'Discard changes'));
    markSaved(store.getState().history.doc);
    saver.goOn(theirs.etag);
  };
  return { saver, state, discard };
}
