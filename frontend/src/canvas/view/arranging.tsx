import { Panel } from '@xyflow/react';
import { useEditor } from './store';

/** While a layout is worked out off the main thread: that it is, and a way to stop it. */
export function Arranging() {
  const arranging = useEditor((state) => state.arranging);
  if (!arranging) return null;
  return (
    <Panel position="top-center" className="arranging">
      <span role="status">Laying out the model…</span>
      <button type="button" className="btn small" onClick={arranging.cancel}>
        Cancel
      </button>
    </Panel>
  );
}
