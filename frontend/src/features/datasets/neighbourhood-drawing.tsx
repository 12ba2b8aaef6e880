import { useMemo } from 'react';
import { count } from '@/ui/format';
import type { Neighbourhood } from './api';
import { classColour } from './class-colour';
import { markPath } from './marks';
import { placeVertices } from './place-vertices';
import { useWidth } from './use-width';

const HEIGHT = 316;
const MARGIN = 22;

/** Vertices as discs (colour: class, size: degree), the chosen one ringed. A click, or Enter, moves it to the middle. */
export function NeighbourhoodDrawing({
  drawing,
  types,
  onPick,
}: {
  drawing: Neighbourhood;
  types: readonly { name: string }[] | undefined;
  onPick: (vertex: number) => void;
}) {
  const [box, width] = useWidth();
  const places = useMemo(() => placeVertices(drawing), [drawing]);
  const x = (value: number) => width / 2 + (value * (width - 2 * MARGIN)) / 2;
  const y = (value: number) => HEIGHT / 2 + (value * (HEIGHT - 2 * MARGIN)) / 2;
  const most = Math.max(1, ...drawing.vertices.map((vertex) => vertex.degree));
  const marker = drawing.directed ? 'url(#arrow)' : undefined;
  return (
    <div ref={box} className="neighbourhood">
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-label={`Neighbourhood of vertex ${drawing.vertex}`}>
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="16"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0l8 4-8 4z" fill="var(--border-strong)" />
            </marker>
          </defs>
          {drawing.edges.map((edge) => {
            const [a, b] = [places.get(edge.source), places.get(edge.target)];
            return a && b ? (
              <line
                key={`${edge.source}-${edge.target}-${edge.relation ?? ''}`}
                className="neighbourhood-edge"
                x1={x(a.x)}
                y1={y(a.y)}
                x2={x(b.x)}
                y2={y(b.y)}
                markerEnd={marker}
              />
            ) : null;
          })}
          {drawing.vertices.map((vertex) => {
            const place = places.get(vertex.id) ?? { x: 0, y: 0 };
            const name = vertex.name ?? `vertex ${vertex.id}`;
            const type = vertex.type_index === null ? '' : `${types?.[vertex.type_index]?.name ?? ''} `;
            const text = `${type}${name}${vertex.label === null ? '' : `, class ${vertex.label}`}, ${count(vertex.degree)} in-edges, hop ${vertex.hop}`;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a mark inside a drawing cannot be a button element
              <g
                key={vertex.id}
                role="button"
                tabIndex={0}
                aria-label={`${text}. Put it in the middle.`}
                className="neighbourhood-vertex"
                data-middle={vertex.id === drawing.vertex || undefined}
                transform={`translate(${x(place.x)} ${y(place.y)})`}
                onClick={() => onPick(vertex.id)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' || event.key === ' ') {
                    event.preventDefault();
                    onPick(vertex.id);
                  }
                }}
              >
                {vertex.type_index === null ? (
                  <circle r={radius(vertex.degree, most)} fill={classColour(vertex.class_index)} />
                ) : (
                  <path
                    d={markPath(vertex.type_index, radius(vertex.degree, most) + 1)}
                    fill={classColour(vertex.type_index)}
                  />
                )}
                <title>{text}</title>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

function radius(degree: number, most: number): number {
  return 4.5 + 6 * Math.sqrt(degree / most);
}
