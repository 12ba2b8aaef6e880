import './versions.css';
import { useMemo } from 'react';
import type { Catalog } from '@/canvas/model/catalog';
import { type DocDiff, diffDocs } from '@/canvas/model/doc-diff';
import type { ModelDoc } from '@/canvas/model/document';
import { DiffCanvas } from '@/canvas/view/diff-canvas';
import { plural } from '@/ui/format';
import { late } from '@/ui/late';
import { Empty, Loading } from '@/ui/states';
import { DifferenceList } from './difference-list';

const TextDiff = late(() => import('./text-diff').then((file) => file.TextDiff), {
  place: <Loading rows={8} />,
});

const VIEWS = { graph: 'Graph', code: 'Code' } as const;
type View = keyof typeof VIEWS;

interface DiffProps {
  before: ModelDoc;
  after: ModelDoc;
  names: readonly [string, string];
  catalog: Catalog;
  view: string | undefined;
  onView: (view: string) => void;
}

/** What turns one document into another: drawn on the canvas, listed, and as text side by side. */
export function DocDiffView({ before, after, names, catalog, view, onView }: DiffProps) {
  const diff = useMemo(() => diffDocs(before, after), [before, after]);
  const shown: View = view === 'code' ? 'code' : 'graph';
  return (
    <section className="card clip diff" aria-label={`From ${names[0]} to ${names[1]}`}>
      <div className="card-head">
        <h2>
          {names[0]} → {names[1]}
        </h2>
        <span className="caption" role="status">
          {summaryOf(diff)}
        </span>
        <fieldset className="segments push" aria-label="How differences are shown">
          {(Object.keys(VIEWS) as View[]).map((name) => (
            <button key={name} type="button" aria-pressed={shown === name} onClick={() => onView(name)}>
              {VIEWS[name]}
            </button>
          ))}
        </fieldset>
      </div>
      {diff.same ? (
        <Empty title="No difference">
          {names[0]} and {names[1]} mean the same; only places may differ.
        </Empty>
      ) : shown === 'graph' ? (
        <div className="diff-graph">
          <div className="diff-canvas">
            <DiffCanvas diff={diff} catalog={catalog} />
          </div>
          <DifferenceList diff={diff} catalog={catalog} />
        </div>
      ) : (
        <TextDiff before={before} after={after} names={names} />
      )}
    </section>
  );
}

const WORDS = ['added', 'removed', 'changed'] as const;

/** "2 added, 1 changed", over layers, wires, programs, groups and notes. */
function summaryOf(diff: DocDiff): string {
  const all = [...diff.nodes, ...diff.wires, ...diff.programs, ...diff.drawn];
  const parts = WORDS.map((word) => [all.filter(({ mark }) => mark === word).length, word] as const);
  const said = parts.filter(([many]) => many > 0).map(([many, word]) => `${many} ${word}`);
  return said.length === 0 ? 'no difference' : `${plural(all.length, 'difference')}: ${said.join(', ')}`;
}
