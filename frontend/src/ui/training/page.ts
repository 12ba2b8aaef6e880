import { lazy } from 'react';
import type { AnyRecord, Job } from '@/api/types';
import { seconds } from '@/ui/format';
import type { ChartSpec, SystemPage } from '@/ui/system-page';
import { chartsFor, goalOf, headline, lookOf } from './goals';
import { resultOf, specOf } from './types';

const EPOCH_TIME: ChartSpec = {
  title: 'Epoch time',
  caption: 'ms, without evaluation,',
  series: [{ key: 'epoch_ms', label: '', color: '--c1' }],
  yMin: 0,
  detail: true,
};

function summary(job: Job) {
  const result = resultOf(job);
  if (!result) return [];
  return [...headline(result.outcome, result.best_epoch), { label: 'epoch', value: seconds(result.epoch_s) }];
}

/** What the pages of both kinds of training share. */
export const trainingPage = {
  charts: (spec: AnyRecord): readonly ChartSpec[] => [...chartsFor(goalOf(spec)), EPOCH_TIME],
  keySeries: (spec: AnyRecord) => lookOf(goalOf(spec)).key,
  chips: (spec: AnyRecord) => {
    const { model_ref, training } = specOf(spec);
    const goal = goalOf(spec);
    return [
      goal === 'node_classification' ? '' : lookOf(goal).title.toLowerCase(),
      model_ref ? `model v${model_ref.version}` : '',
      training ? `seed ${training.seed ?? 0}` : '',
    ].filter(Boolean);
  },
  summary,
  Aside: lazy(() => import('./aside')),
  tabs: [{ id: 'profile', label: 'Profile', Component: lazy(() => import('./profile-tab')) }],
  Form: lazy(() => import('./form')),
  done: {
    text: 'Training is done. See where the time of an epoch went, kernel by kernel.',
    action: 'See where time went',
    tab: 'profile',
  },
} satisfies SystemPage;
