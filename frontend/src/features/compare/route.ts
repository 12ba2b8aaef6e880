import IconChartLine from '@tabler/icons-react/icons/IconChartLine';
import { definePage } from '@/ui/page';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Everything the page shows is in its address. */
export interface CompareSearch {
  /** Ids of the runs, separated by commas. */
  jobs?: string;
  /** The place of each run's look, in the same order; left out where they are 0, 1, 2, … */
  looks?: string;
  /** Series drawn, separated by commas. */
  metrics?: string;
  /** The run the others are measured by. */
  base?: string;
  /** The setting or label whose equal values make one line, as `section:path`. */
  group?: string;
  /** Only runs that hold this text. */
  q?: string;
  /** Runs put away, separated by commas. */
  off?: string;
  /** `all` for rows that do not differ, too. */
  rows?: string;
  /** Only rows that hold this text. */
  find?: string;
  /** What the reader made of the charts. */
  view?: string;
}

const NAMES = ['jobs', 'looks', 'metrics', 'base', 'group', 'q', 'off', 'rows', 'find', 'view'] as const;

export const comparePage = definePage<CompareSearch>({
  path: '/compare',
  title: 'Compare',
  nav: { group: 'Run', label: 'Compare', icon: IconChartLine, order: 1 },
  search: (raw) => Object.fromEntries(NAMES.map((name) => [name, text(raw[name])])),
  load: () => import('./compare-page'),
});

export const pages = [comparePage];
