import { lazy } from 'react';
import type { Job } from '@/api/types';
import { percent, seconds } from '@/ui/format';
import type { SystemPage } from '@/ui/system-page';
import { resultOf, specOf } from './types';

const train = { color: '--c1', label: 'train' };
const val = { color: '--c2', label: 'val' };
const test = { color: '--c3', label: 'test', dash: true };

function summary(job: Job) {
  const result = resultOf(job);
  if (!result) return [];
  return [
    { label: 'test accuracy', value: percent(result.test_accuracy) },
    { label: `best val accuracy, epoch ${result.best_epoch},`, value: percent(result.val_accuracy) },
    { label: 'epoch', value: seconds(result.epoch_s) },
  ];
}

export const page: SystemPage = {
  charts: [
    {
      title: 'Loss',
      caption: 'cross entropy',
      series: [
        { key: 'train_loss', ...train },
        { key: 'val_loss', ...val },
        { key: 'test_loss', ...test },
      ],
      yMin: 0,
    },
    {
      title: 'Accuracy',
      caption: 'share of vertices',
      series: [
        { key: 'train_accuracy', ...train },
        { key: 'val_accuracy', ...val },
        { key: 'test_accuracy', ...test },
      ],
      yMin: 0,
      yMax: 1,
    },
    {
      title: 'Epoch time',
      caption: 'ms, without evaluation,',
      series: [{ key: 'epoch_ms', label: '', color: '--c1' }],
      yMin: 0,
      detail: true,
    },
  ],
  keySeries: { key: 'val_accuracy', label: 'val accuracy' },
  chips: (spec) => {
    const { model_ref, training } = specOf(spec);
    return [
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
};
