import IconVectorTriangle from '@tabler/icons-react/icons/IconVectorTriangle';
import { definePage } from '@/ui/page';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const modelsPage = definePage({
  path: '/models',
  title: 'Models',
  nav: { group: 'Build', label: 'Models', icon: IconVectorTriangle, order: 0, phone: true },
  search: (raw) => ({ q: text(raw['q']), new: text(raw['new']) }),
  load: () => import('./models-page'),
});

export const modelPage = definePage({
  path: '/models/$id',
  title: 'Model',
  parents: [{ label: 'Models', to: '/models' }],
  search: (raw) => ({ dataset: text(raw['dataset']), node: text(raw['node']) }),
  load: () => import('./editor-page'),
  bleed: true,
  slim: true,
});

export const pages = [modelsPage, modelPage];
