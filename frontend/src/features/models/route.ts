import IconVectorTriangle from '@tabler/icons-react/icons/IconVectorTriangle';
import { definePage } from '@/ui/page';
import { openAhead } from './api';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** `draft`, or the number of a version. */
const state = (value: unknown) => {
  const found = text(value);
  return found === 'draft' || /^[1-9]\d{0,8}$/.test(found ?? '') ? found : undefined;
};

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
  search: (raw) => ({
    dataset: text(raw['dataset']),
    /** The part of the drawing that is seen first. */
    view: text(raw['view']),
    /** What is selected, with commas between. */
    node: text(raw['node']),
    /** Layer whose program is drawn in place of the model. */
    open: text(raw['open']),
    dock: text(raw['dock']),
    /** What is looked at in code, IR and kernels. */
    at: text(raw['at']),
    /** Number of the pass that is looked at. */
    pass: text(raw['pass']),
    off: text(raw['off']),
    memory: text(raw['memory']),
    target: text(raw['target']),
  }),
  load: () => import('./editor-page'),
  ahead: (queries, { id }) => openAhead(queries, id!),
  bleed: true,
  slim: true,
});

export type ModelSearch = ReturnType<typeof modelPage.useSearch>;

export const versionsPage = definePage({
  path: '/models/$id/versions',
  title: 'Versions',
  parents: [{ label: 'Models', to: '/models' }],
  // What is compared and how it is shown: `?from=1&to=draft&view=code`.
  search: (raw) => ({ from: state(raw['from']), to: state(raw['to']), view: text(raw['view']) }),
  load: () => import('./versions/versions-page'),
});

export const pages = [modelsPage, modelPage, versionsPage];
