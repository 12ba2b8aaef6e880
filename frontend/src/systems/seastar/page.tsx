import { lazy } from 'react';
import type { SystemPage } from '@/ui/system-page';
import { trainingPage } from '@/ui/training/page';

export const page: SystemPage = {
  ...trainingPage,
  tabs: [
    ...trainingPage.tabs,
    { id: 'compare', label: 'Compare', Component: lazy(() => import('@/ui/training/compare-tab')) },
  ],
};
