import { LayerInspector } from './layer-inspector';
import { ModelInspector } from './model-inspector';
import { SelectionInspector } from './selection-inspector';
import { useEditor } from './store';
import { WireInspector } from './wire-inspector';

/** What is selected, in words: a layer, a wire, several, or the whole model. */
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
        <LayerInspector key={node} id={node} />
      ) : wire !== undefined ? (
        <WireInspector id={wire} />
      ) : (
        <ModelInspector />
      )}
    </aside>
  );
}
