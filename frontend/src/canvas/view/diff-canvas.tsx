import './diff-canvas.css';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import type { Catalog } from '../model/catalog';
import { placeInColumns } from '../model/columns';
import type { DocDiff } from '../model/doc-diff';
import { Canvas } from './canvas';
import { MarksContext } from './marks';
import { createEditorStore, EditorContext } from './store';

/** Two documents in one drawing: the canvas, to look at only, with what was added, removed and changed marked. */
export function DiffCanvas({ diff, catalog }: { diff: DocDiff; catalog: Catalog }) {
  const store = useMemo(() => {
    const { union } = diff;
    const placed = union.nodes.every((node) => union.layout[node.id]);
    const doc = placed ? union : { ...union, layout: placeInColumns(catalog, union) };
    return createEditorStore(doc, catalog, true);
  }, [diff, catalog]);
  return (
    <MarksContext value={diff.marks}>
      <EditorContext value={store}>
        <ReactFlowProvider key={diff.union.nodes.map((node) => node.id).join(' ')}>
          <Canvas />
        </ReactFlowProvider>
      </EditorContext>
    </MarksContext>
  );
}
