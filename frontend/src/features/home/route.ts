import IconHome from '@tabler/icons-react/icons/IconHome';
import { definePage } from '@/ui/page';

export const home = definePage({
  path: '/',
  title: 'Home',
  nav: { group: 'top', label: 'Home', icon: IconHome, order: 0, phone: true },
  load: () => import('./home-page'),
});

export const pages = [home];
