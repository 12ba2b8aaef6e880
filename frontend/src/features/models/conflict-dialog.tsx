import { Modal } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { compareDocs } from '@/canvas/model/compare';
import { replaceAll } from '@/canvas/model/edits';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { useCatalog } from '@/canvas/view/use-catalog';
import { keepVersion, type ModelItem, readDraft, writeDraft } from './api';
import type { DraftSaver } from './draft-saver';
import { DocDiffView } from './versions/doc-diff-view';

/** The draft was changed elsewhere since it was opened here. Neither side is lost, whatever is chosen. */
export function ConflictDialog({ model, saver }: { model: ModelItem; saver: DraftSaver }) {
  const store = useEditorStore();
  const mine = useEditor((state) => state.history.doc);
  const theirs = useQuery({
    queryKey: ['models', model.id, 'theirs'],
    queryFn: () => readDraft(model.id),
    gcTime: 0,
    staleTime: 0,
  });
  const settle = useMutation({
    mutationFn: async (choice: 'mine' | 'theirs') => {
      const now = await readDraft(model.id);
      if (choice === 'theirs') return { ...now, choice };
      await keepVersion(model.id, now.etag, 'Draft changed elsewhere, before it was replaced');
      const etag = await writeDraft(model.id, store.getState().history.doc, now.etag);
      await keepVersion(model.id, etag, 'Kept after a conflict');
      return { doc: store.getState().history.doc, etag, choice };
    },
    onSuccess: ({ doc, etag, choice }) => {
      const { dispatch, history, markSaved } = store.getState();
      if (choice === 'theirs') dispatch(replaceAll(history.doc, doc, 'Take the other draft'));
      markSaved(store.getState().history.doc);
      saver.goOn(etag);
    },
  });
  const catalog = useCatalog();
  const [view, setView] = useState<string | null>(null);
  const changes = theirs.data ? compareDocs(theirs.data.doc, mine) : [];
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="This model was changed elsewhere"
      size={view === null ? 'md' : '90%'}
      centered
    >
      <div className="stack">
        <p>
          Another tab or person saved this model after you opened it. Your edits are kept in this browser
          until you choose.
        </p>
        {view === null && changes.length > 0 && (
          <div>
            <h3>Yours, compared with theirs</h3>
            <ul className="changes">
              {changes.slice(0, 8).map((change) => (
                <li key={change.text} data-sign={change.sign}>
                  {change.text}
                </li>
              ))}
              {changes.length > 8 && <li>and {changes.length - 8} more</li>}
            </ul>
          </div>
        )}
        {view !== null && theirs.data && (
          <DocDiffView
            before={theirs.data.doc}
            after={mine}
            names={['Theirs', 'Yours']}
            catalog={catalog}
            view={view}
            onView={setView}
          />
        )}
        {settle.error && (
          <p className="text-err" role="alert">
            {settle.error.message}
          </p>
        )}
        <div className="row wrap">
          <button
            type="button"
            className="btn primary"
            disabled={settle.isPending}
            onClick={() => settle.mutate('mine')}
          >
            Keep mine as a new version
          </button>
          <button
            type="button"
            className="btn"
            disabled={settle.isPending}
            onClick={() => settle.mutate('theirs')}
          >
            Take theirs
          </button>
          <button
            type="button"
            className="btn"
            disabled={!theirs.data}
            aria-pressed={view !== null}
            onClick={() => setView(view === null ? 'graph' : null)}
          >
            {view === null ? 'View diff' : 'Hide diff'}
          </button>
        </div>
        <p className="caption">
          “Keep mine” saves their draft as a version first. “Take theirs” can be undone with Ctrl+Z.
        </p>
      </div>
    </Modal>
  );
}
