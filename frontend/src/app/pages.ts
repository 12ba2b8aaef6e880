import type { AnyPage } from '@/ui/page';

const modules = import.meta.glob<{ pages: readonly AnyPage[] }>('../features/*/route.{ts,tsx}', {
  eager: true,
});

/** Every page of every feature, found by file name: adding one edits nothing here. */
export const pages: readonly AnyPage[] = Object.values(modules).flatMap((module) => module.pages);
