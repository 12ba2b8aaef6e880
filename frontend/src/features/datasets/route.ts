import IconDatabase from '@tabler/icons-react/icons/IconDatabase';
import { definePage } from '@/ui/page';

const DATASETS = [{ label: 'Datasets', to: '/datasets' }] as const;
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const datasetsPage = definePage({
  path: '/datasets',
  title: 'Datasets',
  nav: { group: 'Build', label: 'Datasets', icon: IconDatabase, order: 2, phone: true },
  search: (raw) => ({ q: text(raw['q']) }),
  load: () => import('./datasets-page'),
});

export const newDatasetPage = definePage({
  path: '/datasets/new',
  title: 'New dataset',
  parents: DATASETS,
  search: (raw) => ({ from: text(raw['from']) }),
  load: () => import('./new-dataset-page'),
});

export const datasetPage = definePage({
  path: '/datasets/$id',
  title: 'Dataset',
  parents: DATASETS,
  search: (raw) => ({ vertex: text(raw['vertex']), hops: text(raw['hops']), seed: text(raw['seed']) }),
  load: () => import('./dataset-page'),
});

export const pages = [datasetsPage, newDatasetPage, datasetPage];
