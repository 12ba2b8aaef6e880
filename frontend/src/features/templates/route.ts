import IconTemplate from '@tabler/icons-react/icons/IconLayoutGrid';
import { definePage } from '@/ui/page';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const templatesPage = definePage({
  path: '/templates',
  title: 'Templates',
  nav: { group: 'Build', label: 'Templates', icon: IconTemplate, order: 1 },
  // What is looked for: `?q=attention&task=link_prediction`.
  search: (raw) => ({ q: text(raw['q']), task: text(raw['task']) }),
  load: () => import('./templates-page'),
});

export const pages = [templatesPage];
