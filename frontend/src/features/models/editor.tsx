import './editor.css';
import '@/canvas/view/panels.css';
import { useMediaQuery } from '@mantine/hooks';
import { ReactFlowProvider } from '@xyflow/react';
import { memo, useCallback, useMemo, useState } from 'react';
import type { Catalog } from '@/canvas/model/catalog';
import { LightLayers } from '@/canvas/trace/light-layers';
import { createTraceStore, TraceContext } from '@/canvas/trace/store';
import { Canvas } from '@/canvas/view/canvas';
import { Palette as PaletteAside } from '@/canvas/view/palette';
import { createEditorStore, EditorContext, useEditor } from '@/canvas/view/store';
import { late } from '@/ui/late';
import { Note } from '@/ui/states';
import type { Draft, ModelItem } from './api';
import { EditorBar } from './editor-bar';
import { useEditorCommands } from './editor-commands';
import type { LocalDraft } from './local-drafts';
import { OpenedProgram, OpenProgram } from './open-program';
import { openingOf } from './opening';
import { useClipboard } from './use-clipboard';
import { useDataset } from './use-dataset';
import { useDraftSaver } from './use-draft-saver';
import { useValidation } from './use-validation';
import { useAddress, useView } from './use-view';

// What stands beside and under the canvas comes while the model is being read.
const Inspector = late(() => import('@/canvas/view/inspector').then((file) => memo(file.Inspector)), {
  ahead: true,
  place: <aside className="inspector" />,
});
const Dock = late(() => import('./dock').then((file) => memo(file.Dock)), {
  ahead: true,
  place: <section className="dock" />,
});
const RelationBar = late(() => import('./relation-bar').then((file) => file.RelationBar));
const TouchBar = late(() => import('./touch-bar').then((file) => file.TouchBar));
const Palette = memo(PaletteAside);
const ConflictDialog = late(() => import('./conflict-dialog').then((file) => file.ConflictDialog));

interface EditorProps {
  model: ModelItem;
  draft: Draft;
  catalog: Catalog;
  kept: LocalDraft | null;
  tab: string;
}

/** One model being edited. */
export function Editor(props: EditorProps) {
  const { catalog, draft, kept } = props;
  const opening = useMemo(() => openingOf(catalog, draft, kept), [catalog, draft, kept]);
  const store = useMemo(() => {
    const created = createEditorStore(opening.doc, catalog);
    created.getState().open(opening.doc, opening.saved);
    return created;
  }, [catalog, opening]);
  const trace = useMemo(() => createTraceStore(), [store]);
  return (
    <EditorContext value={store}>
      <TraceContext value={trace}>
        <ReactFlowProvider>
          <Workbench {...props} etag={opening.etag} restored={opening.restored} />
        </ReactFlowProvider>
      </TraceContext>
    </EditorContext>
  );
}

function Workbench({ model, tab, kept, etag, restored }: EditorProps & { etag: string; restored: boolean }) {
  const { saver, state, discard } = useDraftSaver(model.id, tab, etag, kept?.tab ?? null);
  const [note, setNote] = useState(restored);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const dataset = useDataset(model.template);
  useValidation(dataset.chosen);
  const { search, change } = useView();
  const there = useEditor((state) => state.history.doc.nodes.some((node) => node.id === search.open));
  const opened = there ? search.open : undefined;
  const openProgram = useCallback((node: string) => change({ open: node }), [change]);
  useEditorCommands(opened !== undefined, openProgram, setNotes);
  useClipboard(setNotes);
  useAddress();
  // There what a layer becomes stands below the drawing, and then the long list of what is selected.
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false });
  return (
    <div className="editor">
      <EditorBar model={model} saver={saver} state={state} dataset={dataset} />
      {note && (
        <Note
          role="status"
          action={
            <span className="row">
              <button
                type="button"
                className="btn small"
                onClick={() => void discard().then(() => setNote(false))}
              >
                Discard them
              </button>
              <button type="button" className="btn small" onClick={() => setNote(false)}>
                Keep
              </button>
            </span>
          }
        >
          Unsaved changes of this browser were brought back.
        </Note>
      )}
      {notes.length > 0 && (
        <Note
          tone="warn"
          role="status"
          action={
            <button type="button" className="btn small" onClick={() => setNotes([])}>
              Close
            </button>
          }
        >
          {notes.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Note>
      )}
      <RelationBar />
      {opened ? (
        <OpenedProgram
          node={opened}
          datasetId={dataset.chosen?.id ?? null}
          onLeave={() => change({ open: undefined, at: undefined })}
        />
      ) : (
        <div className="editor-body">
          <Palette />
          <div className="editor-canvas">
            <Canvas />
            <TouchBar />
            <LightLayers />
            <OpenProgram onOpen={openProgram} />
          </div>
          {!phone && <Inspector />}
        </div>
      )}
      <Dock modelId={model.id} datasetId={dataset.chosen?.id ?? null} />
      {phone && !opened && <Inspector />}
      {state.kind === 'conflict' && <ConflictDialog model={model} saver={saver} />}
    </div>
  );
}
