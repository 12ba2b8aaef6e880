import type { SystemPage, SystemPages } from '@/ui/system-page';

const modules = import.meta.glob<{ page: SystemPage }>('../systems/*/page.tsx', { eager: true });

/** Every system's page by kind, which is its folder's name. */
export const systemPages: SystemPages = Object.fromEntries(
  Object.entries(modules).map(([path, module]) => [path.split('/').at(-2)!, module.page]),
);
