import IconMaximize from '@tabler/icons-react/icons/IconMaximize';
import IconMinus from '@tabler/icons-react/icons/IconMinus';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { type FitViewOptions, Panel, useReactFlow, useStore } from '@xyflow/react';

/** Zoom out, 100 %, zoom in, fit. */
export function CanvasControls({ fit }: { fit: FitViewOptions }) {
  const { zoomIn, zoomOut, zoomTo, fitView } = useReactFlow();
  const zoom = useStore((state) => state.transform[2]);
  return (
    <Panel position="bottom-left" className="canvas-controls">
      <div className="segments">
        <button type="button" onClick={() => zoomOut()} aria-label="Zoom out" title="Zoom out">
          <IconMinus size={14} />
        </button>
        <button type="button" className="mono" onClick={() => zoomTo(1)} title="Zoom to 100 %">
          {Math.round(zoom * 100)} %
        </button>
        <button type="button" onClick={() => zoomIn()} aria-label="Zoom in" title="Zoom in">
          <IconPlus size={14} />
        </button>
        <button
          type="button"
          onClick={() => fitView(fit)}
          aria-label="Fit the model in view"
          title="Fit the model in view (F)"
        >
          <IconMaximize size={14} />
        </button>
      </div>
    </Panel>
  );
}
