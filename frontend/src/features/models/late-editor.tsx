import { late } from '@/ui/late';

/** The editor of text is large: its module comes only where text is edited. */
export const ProgramEditor = late(() => import('./program-editor').then((file) => file.ProgramEditor), {
  place: <p className="dock-empty">Opening the editor…</p>,
});
