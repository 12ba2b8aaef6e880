import IconTemplate from '@tabler/icons-react/icons/IconLayoutGrid';
import { definePage } from '@/ui/page';

export const templatesPage = definePage({
  path: '/templates',
  title: 'Templates',
  nav: { group: 'Build', label: 'Templates', icon: IconTemplate, order: 1 },
  load: () => import('./templates-page'),
});

export const pages = [templatesPage];
