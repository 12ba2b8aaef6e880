import { type Node, Panel, type ReactFlowState, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { type Box, hull } from '../model/boxes';

const MARGIN = 40;
const ZOOM_STEP = 0.002;
const NOWHERE: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * All of a canvas in small, with what is seen of it left bright. A press or a drag looks there, the wheel zooms.
 * One path a kind of node: a thousand elements that each listen would take longer to move than the canvas itself.
 */
export function Overview({ label }: { label: string }) {
  const nodes = useStore((state) => state.nodes);
  const store = useStoreApi();
  const { paths, around } = useMemo(() => drawn(nodes, store.getState()), [nodes, store]);
  return (
    <Panel position="bottom-left" className="overview desk-only">
      <Picture label={label} around={around}>
        {[...paths].map(([type, d]) => (
          <path key={type} className={`overview-${type}`} d={d} />
        ))}
      </Picture>
    </Panel>
  );
}

function Picture({ label, around, children }: { label: string; around: Box; children: React.ReactNode }) {
  const x = useStore((state) => -state.transform[0] / state.transform[2]);
  const y = useStore((state) => -state.transform[1] / state.transform[2]);
  const width = useStore((state) => state.width / state.transform[2]);
  const height = useStore((state) => state.height / state.transform[2]);
  const svg = useRef<SVGSVGElement>(null);
  const { setCenter, getZoom, zoomTo } = useReactFlow();
  useEffect(() => {
    // React listens to the wheel passively, and the page must not scroll.
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      void zoomTo(getZoom() * Math.exp(-event.deltaY * ZOOM_STEP));
    };
    const map = svg.current;
    map?.addEventListener('wheel', zoom, { passive: false });
    return () => map?.removeEventListener('wheel', zoom);
  }, [getZoom, zoomTo]);
  const look = ({ clientX, clientY }: PointerEvent) => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    void setCenter(at.x, at.y, { zoom: getZoom() });
  };
  const all = hull([around, { x, y, width, height }]) ?? NOWHERE;
  const [left, top, wide, high] = [
    all.x - MARGIN,
    all.y - MARGIN,
    all.width + 2 * MARGIN,
    all.height + 2 * MARGIN,
  ];
  return (
    <svg
      ref={svg}
      role="img"
      aria-label={label}
      viewBox={`${left} ${top} ${wide} ${high}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) look(event);
      }}
    >
      {children}
      <path
        className="overview-unseen"
        fillRule="evenodd"
        // Far beyond the edges: the drawing is scaled to fit one side, and the other shows more than was asked for.
        d={`${box({ x: left - wide * 9, y: top - high * 9, width: wide * 19, height: high * 19 })}${box({ x, y, width, height })}`}
      />
    </svg>
  );
}

function drawn(nodes: readonly Node[], { nodeLookup }: ReactFlowState) {
  const paths = new Map<string, string>();
  const boxes: Box[] = [];
  for (const { id, type = '' } of nodes) {
    const node = nodeLookup.get(id);
    const { width = 0, height = 0 } = node?.measured ?? {};
    if (!node) continue;
    const one = { ...node.internals.positionAbsolute, width, height };
    boxes.push(one);
    paths.set(type, (paths.get(type) ?? '') + box(one));
  }
  return { paths, around: hull(boxes) ?? NOWHERE };
}

function box({ x, y, width, height }: Box): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}
