import { late } from '@/ui/late';
import { Loading } from '@/ui/states';
import type { SystemPage } from '@/ui/system-page';
import { trainingPage } from '@/ui/training/page';

export const page: SystemPage = {
  ...trainingPage,
  tabs: [
    ...trainingPage.tabs,
    {
      id: 'compare',
      label: 'Compare',
      Component: late(() => import('@/ui/training/compare-tab').then((file) => file.CompareTab), {
        place: <Loading rows={6} />,
      }),
    },
  ],
};
