/** Parts of the canvas that are fetched when they are first needed: it is there before them. */
import { late } from '@/ui/late';
import { useEditor } from './store';

export const GroupNode = late(() => import('./group-node').then((file) => file.GroupNode));
export const NoteNode = late(() => import('./note-node').then((file) => file.NoteNode));
export const Lanes = late(() => import('./lanes').then((file) => file.Lanes));
export const Overview = late(() => import('./overview').then((file) => file.Overview));
const Bubble = late(() => import('./refusal-bubble').then((file) => file.RefusalBubble));
const Menu = late(() => import('./drop-menu').then((file) => file.DropMenu));

export function RefusalBubble() {
  return useEditor((state) => state.refused !== null) ? <Bubble /> : null;
}

export function DropMenu() {
  return useEditor((state) => state.dropped !== null) ? <Menu /> : null;
}
