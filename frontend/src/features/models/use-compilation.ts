import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readsNeighbours } from '@/canvas/model/catalog';
import { EMPTY_DOC, type ModelDoc, meaningHash } from '@/canvas/model/document';
import { useEditor } from '@/canvas/view/store';
import { type CompilerChoices, compileNode } from './api';

// An answer draws the dock anew, which must not meet the next key.
const REST_MS = 250;

/** The node whose program the dock shows: the one that is drawn, else the selected one, else the first that reads neighbours. */
export function useProgramNode(opened?: string): string | null {
  const nodes = useEditor((state) => state.history.doc.nodes);
  const catalog = useEditor((state) => state.catalog);
  const selected = useEditor((state) => state.selectedNodes);
  return useMemo(() => {
    if (nodes.some((node) => node.id === opened)) return opened ?? null;
    const [id] = selected.size === 1 ? selected : [];
    const only = nodes.find((node) => node.id === id);
    if (only && (catalog.byType.get(only.type)?.program != null || only.type === 'program')) return only.id;
    return nodes.find((node) => readsNeighbours(catalog.byType.get(node.type)))?.id ?? null;
  }, [nodes, catalog, selected, opened]);
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
  const [doc] = useDebouncedValue(current, REST_MS);
  // The key is hashed on every render: of a large model that must not be the model itself.
  const meaning = useMemo(() => meaningHash(doc), [doc]);
  const there = node !== null && doc.nodes.some((one) => one.id === node);
  return useQuery({
    queryKey: ['compilation', node, datasetId, meaning, choices],
    queryFn: () => compileNode(doc, node ?? '', datasetId, choices),
    enabled: wanted && there,
    placeholderData: (before, query) => (query?.queryKey[1] === node ? keepPreviousData(before) : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
