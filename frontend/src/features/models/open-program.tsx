import { useEffect } from 'react';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { late } from '@/ui/late';
import { Loading } from '@/ui/states';
import { hasProgram } from './has-program';
import { useCompilation } from './use-compilation';
import { useChoices } from './use-view';

const VertexLevel = late(() => import('@/canvas/vertex/vertex-level').then((file) => file.VertexLevel), {
  place: <Loading rows={4} label="Opening the program" />,
});

interface OpenedProps {
  node: string;
  datasetId: string | null;
  onLeave: () => void;
}

/** A layer's program in place of the model. */
export function OpenedProgram({ node, datasetId, onLeave }: OpenedProps) {
  const [choices] = useChoices();
  const { data, error } = useCompilation(node, datasetId, choices, true);
  return (
    <VertexLevel
      node={node}
      compiled={error ? undefined : data}
      error={error}
      datasetId={datasetId}
      onLeave={onLeave}
    />
  );
}

/** The way into the selected layer's program: a button, a double click, or O. */
export function OpenProgram({ onOpen }: { onOpen: (node: string) => void }) {
  const store = useEditorStore();
  const node = useEditor((state) => {
    const [only] = state.selectedNodes;
    return state.selectedNodes.size === 1 && only !== undefined && hasProgram(state, only) ? only : null;
  });
  useEffect(() => {
    const twice = (event: MouseEvent) => {
      const id = (event.target as HTMLElement).closest<HTMLElement>('.canvas .react-flow__node')?.dataset[
        'id'
      ];
      if (id && hasProgram(store.getState(), id)) onOpen(id);
    };
    document.addEventListener('dblclick', twice);
    return () => document.removeEventListener('dblclick', twice);
  }, [store, onOpen]);
  if (node === null) return null;
  return (
    <button
      type="button"
      className="btn small open-program"
      onClick={() => onOpen(node)}
      title="Open its vertex program (O)"
    >
      Open the program
    </button>
  );
}
