import type { EditorStore } from '@/canvas/view/store';

/** Auto-layout; what works it out is fetched when it is first asked for. */
export async function tidy(store: EditorStore): Promise<void> {
  const { layOut } = await import('./lay-out');
  await layOut(store);
}
