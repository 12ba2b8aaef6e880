import { create } from 'zustand';
import type { JobsSearch } from './route';

const KEY = 'asterism.job-views';

export interface SavedView {
  name: string;
  search: JobsSearch;
}

interface Views {
  views: readonly SavedView[];
  save: (view: SavedView) => void;
  remove: (name: string) => void;
}

function read(): SavedView[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as SavedView[];
  } catch {
    return [];
  }
}

function keep(views: readonly SavedView[]): { views: readonly SavedView[] } {
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
  } catch {
    // Storage may be switched off; views then last as long as the page.
  }
  return { views };
}

/** Views of the list of jobs by name; one saved again under its name takes its place. */
export const useSavedViews = create<Views>((set) => ({
  views: read(),
  save: (view) => set(({ views }) => keep([...views.filter((v) => v.name !== view.name), view])),
  remove: (name) => set(({ views }) => keep(views.filter((v) => v.name !== name))),
}));
