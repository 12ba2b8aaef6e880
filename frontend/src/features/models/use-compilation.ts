import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readsNeighbours } from '@/canvas/model/catalog';
import { EMPTY_DOC, findNode, type ModelDoc } from '@/canvas/model/document';
import { useEditor } from '@/canvas/view/store';
import { type CompilerChoices, compileNode } from './api';

const REST_MS = 400;

/** The node whose program the dock shows: the one that is drawn, else the selected one, else the first that reads neighbours. */
export function useProgramNode(opened?: string): string | null {
  const doc = useEditor((state) => state.history.doc);
  const catalog = useEditor((state) => state.catalog);
  const selected = useEditor((state) => state.selectedNodes);
  return useMemo(() => {
    const runs = (id: string) => catalog.byType.get(findNode(doc, id)?.type ?? '')?.program != null;
    if (opened !== undefined && findNode(doc, opened)) return opened;
    const [only] = selected;
    if (selected.size === 1 && only !== undefined && (runs(only) || findNode(doc, only)?.type === 'program'))
      return only;
    return doc.nodes.find((node) => readsNeighbours(catalog.byType.get(node.type)))?.id ?? null;
  }, [doc, catalog, selected, opened]);
}

/** What the compiler makes of that node, asked for after a short rest; the last answer stays while the next comes. */
export function useCompilation(
  node: string | null,
  datasetId: string | null,
  choices: CompilerChoices,
  wanted: boolean,
) {
  const nodes = useEditor((state) => state.history.doc.nodes);
  const wires = useEditor((state) => state.history.doc.wires);
  const programs = useEditor((state) => state.history.doc.programs);
  const current = useMemo<ModelDoc>(
    () => ({ ...EMPTY_DOC, nodes, wires, programs }),
    [nodes, wires, programs],
  );
  const [doc] = useDebouncedValue(current, REST_MS, { leading: true });
  const there = node !== null && doc.nodes.some((one) => one.id === node);
  return useQuery({
    queryKey: ['compilation', node, datasetId, doc, choices],
    queryFn: () => compileNode(doc, node ?? '', datasetId, choices),
    enabled: wanted && there,
    placeholderData: (before, query) => (query?.queryKey[1] === node ? keepPreviousData(before) : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
