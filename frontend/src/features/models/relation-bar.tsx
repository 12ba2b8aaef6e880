import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { titleOf } from '@/canvas/model/catalog';
import type { DocNode } from '@/canvas/model/document';
import {
  overRelations,
  pin,
  pinnedIn,
  type Relation,
  reads,
  relationName,
  SETTING,
  toggled,
} from '@/canvas/model/relations';
import { useTraceStore } from '@/canvas/trace/store';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { count, plural, shortName, si } from '@/ui/format';

/** From here on relations are searched. */
const SEARCHED = 12;
/** More are not drawn at once. */
const SHOWN = 80;

/**
 * Over the canvas of a model over relations: the dataset's relations with their edges. While one such layer is selected
 * they say what it reads and pin it to some; otherwise one of them lights the layers that read it.
 */
export function RelationBar() {
  const relations = useEditor((state) => state.relations);
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const layers = useMemo(() => overRelations(catalog, doc), [catalog, doc]);
  const only = useEditor(({ selectedNodes }) =>
    selectedNodes.size === 1 ? [...selectedNodes][0] : undefined,
  );
  if (relations.length === 0 || layers.length === 0) return null;
  const layer = layers.find((node) => node.id === only);
  return (
    <section className="relation-bar" aria-label="Relations of the dataset">
      {layer ? (
        <OfLayer key={layer.id} layer={layer} relations={relations} title={titleOf(catalog, layer)} />
      ) : (
        <OfModel layers={layers} relations={relations} />
      )}
    </section>
  );
}

/** Which layers read a relation. */
function OfModel({ layers, relations }: { layers: readonly DocNode[]; relations: readonly Relation[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const trace = useTraceStore();
  const edges = relations.reduce((sum, relation) => sum + relation.edges, 0);
  const lit = useMemo(
    () =>
      chosen === null ? [] : layers.filter((node) => reads(node, chosen, relations)).map((node) => node.id),
    [chosen, layers, relations],
  );
  useEffect(() => {
    trace.getState().holdLayers(lit);
    return () => trace.getState().holdLayers([]);
  }, [trace, lit]);
  return (
    <>
      <b className="relation-title">Relations</b>
      <Chips
        relations={relations}
        pressed={(number) => number === chosen}
        onPress={(number) => setChosen(number === chosen ? null : number)}
        first={{
          text: `All ${count(relations.length)}`,
          edges,
          pressed: chosen === null,
          onPress: () => setChosen(null),
        }}
      />
      {chosen !== null && (
        <span className="caption nowrap relation-said" role="status">
          read by {plural(lit.length, 'layer')}
        </span>
      )}
    </>
  );
}

/** What one layer reads, and the way to change it. */
function OfLayer({
  layer,
  relations,
  title,
}: {
  layer: DocNode;
  relations: readonly Relation[];
  title: string;
}) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const pinned = useMemo(() => pinnedIn(layer.params[SETTING], relations), [layer.params, relations]);
  const set = (numbers: readonly number[]) => {
    const { dispatch, history } = store.getState();
    dispatch(pin(history.doc, layer.id, numbers, relations));
  };
  const first = Math.max(
    0,
    relations.findIndex((relation) => relation.edges > 0),
  );
  return (
    <>
      <b className="relation-title ellipsis" title={`Relations that ${title} reads`}>
        {title} reads
      </b>
      <fieldset className="segments" aria-label={`Relations that ${title} reads`} disabled={readOnly}>
        <button type="button" aria-pressed={pinned === null} onClick={() => set([])}>
          For each
        </button>
        <button type="button" aria-pressed={pinned !== null} onClick={() => pinned ?? set([first])}>
          Pinned
        </button>
      </fieldset>
      <Chips
        relations={relations}
        disabled={readOnly}
        pressed={(number) => pinned?.numbers.includes(number) ?? true}
        onPress={(number) => set(toggled(pinned, number))}
      />
      <span className="caption nowrap relation-said" role="status">
        {pinned
          ? `${count(pinned.numbers.length)} of ${plural(relations.length, 'relation')}`
          : `all ${plural(relations.length, 'relation')}`}
      </span>
    </>
  );
}

interface ChipsProps {
  relations: readonly Relation[];
  pressed: (number: number) => boolean;
  onPress: (number: number) => void;
  disabled?: boolean;
  first?: { text: string; edges: number; pressed: boolean; onPress: () => void };
}

/** One stop for the Tab key; arrows go from chip to chip. */
function Chips({ relations, pressed, onPress, disabled = false, first }: ChipsProps) {
  const [text, setText] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const wanted = text.trim().toLowerCase();
  const found = relations.flatMap((relation, number) =>
    relationName(relation).toLowerCase().includes(wanted) ? [{ relation, number }] : [],
  );
  return (
    <>
      {relations.length > SEARCHED && (
        <input
          className="field-look relation-search"
          type="search"
          placeholder="Find a relation"
          aria-label="Find a relation"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div
        ref={box}
        className="relation-chips"
        role="toolbar"
        aria-label="Relations"
        onKeyDown={(event) => walk(event, box.current)}
      >
        {first && wanted === '' && (
          <button
            type="button"
            className="relation-chip"
            aria-pressed={first.pressed}
            onClick={first.onPress}
          >
            {first.text} <span>{count(first.edges)}</span>
          </button>
        )}
        {found.slice(0, SHOWN).map(({ relation, number }, i) => (
          <button
            key={number}
            type="button"
            className="relation-chip"
            tabIndex={i === 0 && !(first && wanted === '') ? 0 : -1}
            aria-pressed={pressed(number)}
            disabled={disabled}
            data-empty={relation.edges === 0 || undefined}
            title={`${relation.source} ${relation.name} ${relation.target}: ${plural(relation.edges, 'edge')}`}
            onClick={() => onPress(number)}
          >
            <i style={{ background: `var(--c${(number % 8) + 1})` }} />
            {relation.source} <b>{shortName(relation.name)}</b> {relation.target}{' '}
            <span>{relation.edges === 0 ? 'empty' : si(relation.edges)}</span>
          </button>
        ))}
        {found.length > SHOWN && (
          <span className="caption nowrap">{count(found.length - SHOWN)} more: search</span>
        )}
        {found.length === 0 && <span className="caption nowrap">No relation is called that.</span>}
      </div>
    </>
  );
}

function walk(event: KeyboardEvent, box: HTMLElement | null): void {
  const chips = [...(box?.querySelectorAll<HTMLElement>('button') ?? [])];
  const at = chips.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: chips.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = chips[Math.min(chips.length - 1, Math.max(0, to))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
