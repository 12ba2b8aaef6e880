import type { ChartSpec, SystemPage } from '@/ui/system-page';
import { curves, goalOf } from '@/ui/training/goals';
import { trainingPage } from '@/ui/training/page';

const MACRO_F1: ChartSpec = {
  title: 'Macro-F1',
  caption: 'mean over classes',
  series: curves('macro_f1'),
  yMin: 0,
  yMax: 1,
};

export const page: SystemPage = {
  ...trainingPage,
  charts: (spec) => {
    const shown = trainingPage.charts(spec);
    return goalOf(spec) === 'node_classification' ? [...shown, MACRO_F1] : shown;
  },
};
