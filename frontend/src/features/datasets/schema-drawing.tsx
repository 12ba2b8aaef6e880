import { useMemo } from 'react';
import { count, plural, si } from '@/ui/format';
import type { GraphSchema } from './api';
import { classColour } from './class-colour';
import { markPath } from './marks';
import {
  type Arc,
  arcMiddle,
  arcPath,
  FEW_TYPES,
  MOST_TYPES,
  type Spot,
  schemaLayout,
} from './schema-layout';
import { useWidth } from './use-width';

const HEIGHT = 420;
const RADIUS = 13;
const LABELLED_ARCS = 16;
const ROUND_ABOUT = 8;
const NARROW = 520;

/** Types as marks with their counts, all relations from one to another as one arc. Choosing one narrows the list. */
export function SchemaDrawing({
  schema,
  chosen,
  onChoose,
}: {
  schema: GraphSchema;
  chosen: readonly number[];
  onChoose: (types: readonly number[]) => void;
}) {
  const [box, width] = useWidth();
  const most = width < NARROW ? FEW_TYPES : MOST_TYPES;
  const layout = useMemo(() => schemaLayout(schema, most), [schema, most]);
  const spots = useMemo(() => {
    const [rx, ry] = [
      Math.max(40, width / 2 - (layout.spots.length > ROUND_ABOUT ? 136 : 76)),
      HEIGHT / 2 - (layout.spots.length > ROUND_ABOUT ? 112 : 62),
    ];
    return new Map(
      layout.spots.map((s) => [
        s.type,
        {
          type: s.type,
          x: width / 2 + s.x * rx,
          y: HEIGHT / 2 + (layout.spots.length > ROUND_ABOUT ? 0 : 14) + s.y * ry,
        },
      ]),
    );
  }, [layout, width]);
  const name = (type: number) => schema.types[type]?.name ?? '';
  const heaviest = Math.max(1, ...layout.arcs.map((arc) => arc.edges));
  return (
    <div ref={box} className="schema-drawing">
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-label="Types and relations">
          <defs>
            <marker
              id="relation-end"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0l8 4-8 4z" fill="var(--text-3)" />
            </marker>
          </defs>
          {layout.arcs.map((arc) => (
            <RelationArc
              key={`${arc.source}-${arc.target}`}
              arc={arc}
              spots={spots}
              width={1 + 3 * (Math.log1p(arc.edges) / Math.log1p(heaviest))}
              words={
                layout.arcs.length <= LABELLED_ARCS
                  ? arc.relations.length === 1
                    ? `${schema.relations[arc.relations[0] ?? 0]?.name ?? ''} ${si(arc.edges)}`
                    : `${arc.relations.length} relations ${si(arc.edges)}`
                  : null
              }
              title={`${name(arc.source)} to ${name(arc.target)}: ${plural(arc.relations.length, 'relation')}, ${count(arc.edges)} edges`}
              muted={chosen.length > 0 && !chosen.includes(arc.source) && !chosen.includes(arc.target)}
            />
          ))}
          {layout.spots.map(({ type }, k) => (
            <TypeSpot
              key={type}
              type={type}
              spot={spots.get(type)}
              side={
                layout.spots.length > ROUND_ABOUT ? Math.sign((spots.get(type)?.x ?? 0) - width / 2 + 0.5) : 0
              }
              steep={Math.abs(layout.spots[k]?.x ?? 0) < 0.62 ? Math.sign(layout.spots[k]?.y ?? 0) : 0}
              facts={schema.types[type]}
              pressed={chosen.includes(type)}
              onPress={() => onChoose(chosen.includes(type) ? [] : [type])}
            />
          ))}
        </svg>
      )}
      <p className="caption">
        {layout.hidden > 0 && `${plural(layout.hidden, 'smaller type')} left out to stay readable. `}
        {layout.arcs.length > LABELLED_ARCS && 'Point at an arc for its relations. '}
        All relations between two types are one arc, as wide as they have edges. Choose a type to see its
        relations alone.
      </p>
    </div>
  );
}

function RelationArc(props: {
  arc: Arc;
  spots: ReadonlyMap<number, Spot>;
  width: number;
  words: string | null;
  title: string;
  muted: boolean;
}) {
  const [a, b] = [props.spots.get(props.arc.source), props.spots.get(props.arc.target)];
  if (!a || !b) return null;
  const middle = arcMiddle(a, b, RADIUS);
  return (
    <g
      className="relation-arc"
      data-muted={props.muted || undefined}
      data-many={props.words === null || undefined}
    >
      <path d={arcPath(a, b, RADIUS)} strokeWidth={props.width} markerEnd="url(#relation-end)">
        <title>{props.title}</title>
      </path>
      {props.words && (
        <text x={middle.x} y={middle.y} textAnchor="middle">
          {props.words}
        </text>
      )}
    </g>
  );
}

function TypeSpot(props: {
  type: number;
  spot: Spot | undefined;
  side: number;
  /** Words turned upwards (-1) or downwards (1) where types stand side by side. */
  steep: number;
  facts: GraphSchema['types'][number] | undefined;
  pressed: boolean;
  onPress: () => void;
}) {
  const { spot, facts } = props;
  if (!spot || !facts) return null;
  const short = facts.name.length > 16 ? `${facts.name.slice(0, 15)}…` : facts.name;
  return (
    <g transform={`translate(${spot.x} ${spot.y})`} className="type-spot-with-words">
      {/* biome-ignore lint/a11y/useSemanticElements: a mark inside a drawing cannot be a button element */}
      <g
        role="button"
        tabIndex={0}
        aria-pressed={props.pressed}
        aria-label={`${facts.name}, ${count(facts.vertices)} vertices. Show its relations alone.`}
        className="type-spot"
        onClick={props.onPress}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            props.onPress();
          }
        }}
      >
        <circle className="touch" r={22} />
        <path d={markPath(props.type, RADIUS)} fill={classColour(props.type)} />
      </g>
      {props.side === 0 ? (
        <>
          <text y={RADIUS + 15} textAnchor="middle" className="strong">
            {short}
          </text>
          <text y={RADIUS + 29} textAnchor="middle">
            {count(facts.vertices)}
          </text>
        </>
      ) : (
        <text
          x={props.side * (RADIUS + 5)}
          y={4}
          textAnchor={props.side > 0 ? 'start' : 'end'}
          transform={props.steep ? `rotate(${props.side * props.steep * 50})` : undefined}
          className="strong"
        >
          {short} {si(facts.vertices)}
        </text>
      )}
    </g>
  );
}
