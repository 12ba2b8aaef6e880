/** The tasks a job may learn: words, curves and figures of each, in one table. */
import type { AnyRecord } from '@/api/types';
import { number, percent } from '@/ui/format';
import type { ChartSpec } from '@/ui/system-page';
import type { Goal, Outcome } from './types';

interface Figure {
  readonly label: string;
  readonly value: string;
}

interface Look {
  readonly title: string;
  readonly wants: string;
  readonly key: { key: string; label: string };
  /** Curves beside those of the loss; `part` fills in train, val, test. */
  readonly curves: readonly { title: string; caption: string; metric: string; detail?: boolean }[];
}

const LOOKS: Readonly<Record<Goal, Look>> = {
  node_classification: {
    title: 'Vertex classification',
    wants: 'Graphs whose vertices have classes and a training split.',
    key: { key: 'val_accuracy', label: 'val accuracy' },
    curves: [{ title: 'Accuracy', caption: 'share of vertices', metric: 'accuracy' }],
  },
  link_prediction: {
    title: 'Link prediction',
    wants: 'Any single graph whose vertices have features.',
    key: { key: 'val_auc', label: 'val AUC' },
    curves: [
      { title: 'AUC', caption: 'edges ahead of other pairs', metric: 'auc' },
      {
        title: 'Average precision',
        caption: 'area under precision and recall',
        metric: 'average_precision',
        detail: true,
      },
      { title: 'MRR', caption: 'mean of 1 / rank of an edge', metric: 'mrr', detail: true },
      {
        title: 'Hits',
        caption: 'share of edges above the k-th best other pair',
        metric: 'hits',
        detail: true,
      },
    ],
  },
  kg_link_prediction: {
    title: 'Triples',
    wants: 'Heterogeneous graphs whose edges are split.',
    key: { key: 'val_mrr', label: 'val MRR' },
    curves: [{ title: 'MRR', caption: 'mean of 1 / filtered rank', metric: 'mrr' }],
  },
  graph_classification: {
    title: 'Graph classification',
    wants: 'Sets of small graphs with classes and a training split.',
    key: { key: 'val_accuracy', label: 'val accuracy' },
    curves: [{ title: 'Accuracy', caption: 'share of graphs', metric: 'accuracy' }],
  },
};

export const GOALS = Object.keys(LOOKS) as Goal[];

export function lookOf(goal: Goal): Look {
  return LOOKS[goal];
}

/** The task of a spec; jobs of an older installation name none and told vertices. */
export function goalOf(spec: AnyRecord): Goal {
  const type = (spec.task as { type?: string } | undefined)?.type;
  return GOALS.find((goal) => goal === type) ?? 'node_classification';
}

const PARTS = [
  { part: 'train', color: '--c1' },
  { part: 'val', color: '--c2' },
  { part: 'test', color: '--c3', dash: true },
] as const;

/** Curves of one metric on every part of the data. */
export function curves(metric: string) {
  return PARTS.map(({ part, ...look }) => ({ key: `${part}_${metric}`, label: part, ...look }));
}

export function chartsFor(goal: Goal): ChartSpec[] {
  const shown = LOOKS[goal].curves.map(({ metric, ...words }) => ({
    ...words,
    series: curves(metric),
    yMin: 0,
    yMax: 1,
  }));
  return [{ title: 'Loss', caption: 'cross entropy', series: curves('loss'), yMin: 0 }, ...shown];
}

/** A share as people read it for that figure. */
function score(value: number): string {
  return number(value, 3);
}

/** The figures of one part, the one that counts first. */
export function figuresOf(outcome: Outcome, part: 'train' | 'val' | 'test'): Figure[] {
  if (outcome.type === 'kg_link_prediction') {
    const found = outcome[part];
    return [
      { label: 'MRR', value: score(found.mrr) },
      { label: 'hits@10', value: percent(found.hits_10) },
    ];
  }
  if (outcome.type !== 'link_prediction') {
    const scores = outcome[part];
    const accuracy = { label: 'accuracy', value: percent(scores.accuracy) };
    return 'macro_f1' in scores
      ? [accuracy, { label: 'macro-F1', value: score(scores.macro_f1) }]
      : [accuracy];
  }
  const found = outcome[part];
  return [
    { label: 'AUC', value: score(found.auc) },
    { label: 'average precision', value: score(found.average_precision) },
    { label: 'MRR', value: score(found.mrr) },
    { label: `hits@${outcome.hits_at}`, value: percent(found.hits) },
  ];
}

/** What stands under the name of a finished job. */
export function headline(outcome: Outcome, bestEpoch: number): Figure[] {
  const [first] = figuresOf(outcome, 'test');
  if (outcome.type === 'graph_classification' && outcome.folds.length > 0) {
    const spread = `${first!.value} ± ${(100 * (outcome.test_deviation ?? 0)).toFixed(1)}`;
    return [{ label: `test accuracy, ${outcome.folds.length} folds,`, value: spread }];
  }
  const [val] = figuresOf(outcome, 'val');
  return [
    { label: `test ${first!.label}`, value: first!.value },
    { label: `best val ${val!.label}, epoch ${bestEpoch},`, value: val!.value },
  ];
}
