import IconServer from '@tabler/icons-react/icons/IconServer2';
import { definePage } from '@/ui/page';

export const cluster = definePage({
  path: '/cluster',
  title: 'Cluster',
  nav: { group: 'Systems', label: 'Cluster', icon: IconServer, order: 0 },
  load: () => import('./cluster-page'),
});

export const pages = [cluster];
