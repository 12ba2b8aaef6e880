import { useEffect } from 'react';
import { create } from 'zustand';

interface TitleState {
  title: string | null;
  set: (title: string | null) => void;
}

export const useTitleStore = create<TitleState>((set) => ({ title: null, set: (title) => set({ title }) }));

/** Names the page after the thing on it: last word of the breadcrumb and the browser tab. */
export function useTitle(title: string | null | undefined): void {
  const set = useTitleStore((state) => state.set);
  useEffect(() => {
    set(title ?? null);
    return () => set(null);
  }, [title, set]);
}
