import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import { useQueryClient } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import type { Schemas } from '@/api/types';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { ErrorState, Loading } from '@/ui/states';
import { titleOf } from '../model/catalog';
import { findNode } from '../model/document';
import { setProgram } from '../model/edits';
import { useTraceStore } from '../trace/store';
import { type EditorStore, useEditor, useEditorStore } from '../view/store';
import { docFrom } from '../view/use-catalog';
import type { ProgramEdit } from './judge';
import { createVertexStore, useVertex, VertexContext, type VertexStore } from './store';
import { type Bindings, editProgram, ownLayer, useProgramGraph } from './use-program-graph';
import { VertexCanvas } from './vertex-canvas';
import { VertexInspector } from './vertex-inspector';
import { VertexPalette } from './vertex-palette';

interface LevelProps {
  node: string;
  /** What the layer compiles to: its text, sizes and constants. */
  compiled: Schemas['LayerCompilation'] | undefined;
  error: Error | null;
  /** Whose sizes a layer is made one's own with. */
  datasetId: string | null;
  onLeave: () => void;
}

const NO_BINDINGS: Bindings = {};

/** The program of one layer, drawn in lanes. One of the model's own is edited here; a layer's of the palette is read. */
export function VertexLevel({ node, compiled, error, datasetId, onLeave }: LevelProps) {
  const editor = useEditorStore();
  const own = useOwnProgram(node);
  const fixed = useEditor((state) => state.readOnly);
  const palette = useEditor(
    (state) =>
      state.catalog.byType.get(findNode(state.history.doc, node)?.type ?? '')?.program_source ?? undefined,
  );
  const source = own?.source ?? palette;
  const bindings = (compiled?.bindings as Bindings | undefined) ?? NO_BINDINGS;
  const graph = useProgramGraph(source, bindings);
  const store = useLevelStore(editor, own?.name, fixed, bindings);
  const trace = useTraceStore();
  useEffect(() => {
    if (!graph.data) return;
    store.getState().setGraph(graph.data);
    trace.getState().setNodes(store.getState().graph.nodes);
  }, [graph.data, store, trace]);
  useEffect(() => () => trace.getState().setNodes([]), [trace]);
  useEffect(
    () =>
      store.subscribe((now, before) => {
        if (now.selected.node === before.selected.node) return;
        trace.getState().look(now.selected.node === null ? null : { kind: 'node', id: now.selected.node });
      }),
    [store, trace],
  );
  return (
    <VertexContext value={store}>
      <ReactFlowProvider>
        <div className="editor-body">
          <VertexPalette />
          <div className="editor-canvas vertex-area">
            <Crumbs
              node={node}
              compiled={compiled}
              datasetId={datasetId}
              own={own !== undefined}
              onLeave={onLeave}
            />
            {graph.error ? (
              <ErrorState error={graph.error} retry={() => void graph.refetch()} />
            ) : source === undefined ? (
              <p className="dock-empty">
                This layer runs no vertex program yet. Choose or begin one in the model.
              </p>
            ) : !graph.data && store.getState().graph.nodes.length === 0 ? (
              <Loading rows={6} label="Reading the program" />
            ) : (
              <VertexCanvas onLeave={onLeave} />
            )}
            {error && <p className="vertex-note caption">{error.message}</p>}
          </div>
          <VertexInspector />
        </div>
      </ReactFlowProvider>
    </VertexContext>
  );
}

function useOwnProgram(node: string) {
  return useEditor((state) => {
    const found = findNode(state.history.doc, node);
    if (found?.type !== 'program') return undefined;
    return state.history.doc.programs.find((program) => program.name === found.params['program']);
  });
}

/** One store a program; an edit goes to the server with the newest text, and its answer becomes the text. */
function useLevelStore(
  editor: EditorStore,
  program: string | undefined,
  fixed: boolean,
  bindings: Bindings,
): VertexStore {
  const latest = useRef(bindings);
  latest.current = bindings;
  const queries = useQueryClient();
  return useMemo(() => {
    let turn = Promise.resolve(true);
    const store: VertexStore = createVertexStore({
      readOnly: program === undefined || fixed,
      edit: (edits, name) => {
        // One after another: the second edit is of the text the first one gave.
        turn = turn.then(() => carryOut(editor, store, program ?? '', latest.current, edits, name, queries));
        return turn;
      },
    });
    return store;
  }, [editor, program, fixed, queries]);
}

async function carryOut(
  editor: EditorStore,
  store: VertexStore,
  program: string,
  bindings: Bindings,
  edits: readonly ProgramEdit[],
  name: string,
  queries: ReturnType<typeof useQueryClient>,
): Promise<boolean> {
  const source = () => editor.getState().history.doc.programs.find((one) => one.name === program)?.source;
  const before = source();
  if (before === undefined || edits.length === 0) return false;
  try {
    const graph = await editProgram(before, bindings, edits);
    if (source() !== before) throw new Error('The program was changed meanwhile; try again.');
    queries.setQueryData(['program-graph', graph.source, bindings], graph);
    const { dispatch, history } = editor.getState();
    dispatch({ ...setProgram(history.doc, { name: program, source: graph.source }), name });
    store.getState().fail(null);
    return true;
  } catch (error) {
    store.getState().fail(error instanceof Error ? error.message : String(error));
    return false;
  }
}

interface CrumbProps {
  node: string;
  compiled: Schemas['LayerCompilation'] | undefined;
  datasetId: string | null;
  own: boolean;
  onLeave: () => void;
}

/** Back to the model, what is drawn here, and for a layer of the palette the way to make it one's own. */
function Crumbs({ node, compiled, datasetId, own, onLeave }: CrumbProps) {
  const store = useVertex((state) => state.fail);
  const failed = useVertex((state) => state.failed);
  const name = useVertex((state) => state.graph.name);
  const title = useEditor((state) => {
    const found = findNode(state.history.doc, node);
    return found ? titleOf(state.catalog, found) : node;
  });
  return (
    <nav className="vertex-crumbs" aria-label="Level">
      <button type="button" className="btn ghost small" onClick={onLeave} title="Back to the model (Esc)">
        <IconArrowLeft size={14} /> Model
      </button>
      <span aria-hidden="true">›</span>
      <b className="ellipsis">{title}</b>
      <code className="text-3 ellipsis">{name}</code>
      <span className="push row">
        {failed ? (
          <span className="vertex-failed" role="alert">
            {failed}
            <button type="button" className="btn ghost small" onClick={() => store(null)}>
              Close
            </button>
          </span>
        ) : own ? (
          <span className="caption desk-only">Every edit is an edit of the text</span>
        ) : (
          <>
            <span className="caption desk-only">Read only</span>
            <MakeItMine node={node} compiled={compiled} datasetId={datasetId} />
          </>
        )}
      </span>
    </nav>
  );
}

function MakeItMine({ node, compiled, datasetId }: Omit<CrumbProps, 'own' | 'onLeave'>) {
  const editor = useEditorStore();
  const fail = useVertex((state) => state.fail);
  const layer = useEditor((state) => state.catalog.byType.get(findNode(state.history.doc, node)?.type ?? ''));
  const own = () => ownLayer(editor.getState().history.doc, node, datasetId);
  const make = async () => {
    const before = editor.getState().history.doc;
    try {
      const answer = await own();
      if (editor.getState().history.doc !== before)
        throw new Error('The model was changed meanwhile; try again.');
      const doc = docFrom(answer.doc);
      editor.getState().dispatch({
        name: `Make ${layer?.title ?? node} mine`,
        operations: [{ op: 'set_document', doc }],
      });
      fail(null);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <CopyAs what="Make it mine" call={own} />
      <button
        type="button"
        className="btn small primary"
        disabled={!compiled?.declares}
        onClick={() => void make()}
        title="A copy of the text becomes this model's own, to be edited"
      >
        Make it mine
      </button>
    </>
  );
}
