import { groupTree } from '../model/groups';
import { findNote } from '../model/notes';
import { GroupInspector } from './group-inspector';
import { LayerInspector } from './layer-inspector';
import { ModelInspector } from './model-inspector';
import { NoteInspector } from './note-inspector';
import { SelectionInspector } from './selection-inspector';
import { useEditor } from './store';
import { WireInspector } from './wire-inspector';

/** What is selected, in words: a layer, a group, a note, a wire, several, or the whole model. */
export function Inspector() {
  const nodes = useEditor((state) => state.selectedNodes);
  const wires = useEditor((state) => state.selectedWires);
  const [node] = nodes;
  const [wire] = wires;
  return (
    <aside className="inspector" aria-label="Inspector" tabIndex={-1} data-inspector>
      {nodes.size > 1 ? (
        <SelectionInspector count={nodes.size} />
      ) : node !== undefined ? (
        <OneInspector key={node} id={node} />
      ) : wire !== undefined ? (
        <WireInspector id={wire} />
      ) : (
        <ModelInspector />
      )}
    </aside>
  );
}

function OneInspector({ id }: { id: string }) {
  const isGroup = useEditor((state) => groupTree(state.history.doc).byId.has(id));
  const isNote = useEditor((state) => findNote(state.history.doc, id) !== undefined);
  if (isGroup) return <GroupInspector id={id} />;
  return isNote ? <NoteInspector id={id} /> : <LayerInspector id={id} />;
}
