import type { AnyRecord, Job } from '@/api/types';
import { seconds } from '@/ui/format';
import { late } from '@/ui/late';
import { Loading } from '@/ui/states';
import type { ChartSpec, SystemPage } from '@/ui/system-page';
import { chartsFor, goalOf, headline, lookOf } from './goals';
import { resultOf, specOf } from './types';

const place = <Loading rows={6} />;

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
  Aside: late(() => import('./aside').then((file) => file.Aside)),
  tabs: [
    {
      id: 'profile',
      label: 'Profile',
      Component: late(() => import('./profile-tab').then((file) => file.ProfileTab), { place }),
    },
    {
      id: 'compare',
      label: 'Compare',
      Component: late(() => import('./compare-tab').then((file) => file.CompareTab), { place }),
    },
  ],
  Form: late(() => import('./form').then((file) => file.TrainForm), { place }),
  done: {
    text: 'Training is done. See where the time of an epoch went, kernel by kernel.',
    action: 'See where time went',
    tab: 'profile',
  },
} satisfies SystemPage;
