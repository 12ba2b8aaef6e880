import { useNavigate } from '@tanstack/react-router';
import { useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useMemo } from 'react';
import { idsOf } from '@/canvas/model/ids';
import { focusFrom, focusText } from '@/canvas/trace/lit';
import { useTraceStore } from '@/canvas/trace/store';
import { useEditorStore } from '@/canvas/view/store';
import type { CompilerChoices } from './api';
import { type ModelSearch, modelPage } from './route';
import { viewFrom } from './view-place';

/** How the editor is looked at, as its address says it: a link opens the same tab, pass, kernel target and highlight. */
export function useView() {
  const search = modelPage.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Partial<ModelSearch>) =>
      void navigate({
        to: '.',
        search: (before: ModelSearch) => ({ ...before, ...patch }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return { search, change };
}

/** The compiler's settings of the dock, in the address too. */
export function useChoices(): [CompilerChoices, (choices: CompilerChoices) => void] {
  const { search, change } = useView();
  const choices = useMemo<CompilerChoices>(
    () => ({
      disabled: search.off?.split(',') ?? [],
      memory: (search.memory as CompilerChoices['memory'] | undefined) ?? 'balanced',
    }),
    [search.off, search.memory],
  );
  const set = ({ disabled, memory }: CompilerChoices) =>
    change({
      off: disabled.length > 0 ? disabled.join(',') : undefined,
      memory: memory === 'balanced' ? undefined : memory,
      pass: undefined,
    });
  return [choices, set];
}

/** What is looked at and which layer is selected begin as the address says, and the address follows them. */
export function useAddress(): void {
  const { search, change } = useView();
  const trace = useTraceStore();
  const editor = useEditorStore();
  const { setViewport } = useReactFlow();
  useEffect(() => {
    const focus = focusFrom(search.at);
    if (focus && !trace.getState().pinned) trace.getState().pin(focus);
    const there = new Set(idsOf(editor.getState().history.doc));
    const selected = (search.node ?? '').split(',').filter((id) => there.has(id));
    if (selected.length > 0) editor.getState().select(new Set(selected));
    // Only the address the editor was opened with; later it is the one that follows.
  }, [trace, editor]);
  const seen = viewFrom(search.view);
  useEffect(() => {
    if (!seen) return;
    // After the canvas has fitted all of it in.
    const timer = setTimeout(() => void setViewport(seen), 60);
    change({ view: undefined });
    return () => clearTimeout(timer);
  }, []);
  useEffect(
    () =>
      trace.subscribe((now, before) => {
        if (now.pinned !== before.pinned) change({ at: now.pinned ? focusText(now.pinned) : undefined });
      }),
    [trace, change],
  );
  useEffect(
    () =>
      editor.subscribe((now, before) => {
        if (now.selectedNodes === before.selectedNodes) return;
        const [only] = now.selectedNodes;
        change({ node: now.selectedNodes.size === 1 ? only : undefined });
      }),
    [editor, change],
  );
}
