import { useEffect } from 'react';
import { create } from 'zustand';
import type { Command } from './command';

interface Registry {
  readonly lists: readonly (readonly Command[])[];
  /** Is the sheet of keys open? */
  readonly sheet: boolean;
}

export const useRegistry = create<Registry>(() => ({ lists: [], sheet: false }));

/** These can be done while the part that says so is on the page. Give the same list again, or all listeners run anew. */
export function useCommands(list: readonly Command[]): void {
  useEffect(() => {
    useRegistry.setState(({ lists }) => ({ lists: [...lists, list] }));
    return () => useRegistry.setState(({ lists }) => ({ lists: lists.filter((one) => one !== list) }));
  }, [list]);
}

export function showKeys(sheet = true): void {
  useRegistry.setState({ sheet });
}

/** Everything that can be done here, by the order it came in. */
export function allCommands(): readonly Command[] {
  return useRegistry.getState().lists.flat();
}
