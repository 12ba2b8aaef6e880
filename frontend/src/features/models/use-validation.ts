import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Checks, Problem } from '@/canvas/model/checks';
import { EMPTY_DOC, type ModelDoc } from '@/canvas/model/document';
import { type Sizes, SYMBOLS } from '@/canvas/model/shapes';
import type { ValueType } from '@/canvas/model/value-types';
import { useEditor, useEditorStore } from '@/canvas/view/store';
import { relationsQuery, validateDoc } from './api';
import type { DatasetChoice } from './use-dataset';

const REST_MS = 250;

/** Asks the server what is wrong and what flows where, a short rest after the last edit; late answers are dropped. */
export function useValidation(dataset: DatasetChoice['chosen']): void {
  const store = useEditorStore();
  const datasetId = dataset?.id ?? null;
  const sizes = useMemo(() => sizesOf(dataset), [dataset]);
  const typed = datasetId !== null && dataset?.info?.heterogeneous != null;
  const { data: relations } = useQuery({ ...relationsQuery(datasetId ?? ''), enabled: typed });
  useEffect(() => store.getState().setSizes(sizes, typed ? relations : []), [store, sizes, typed, relations]);
  const nodes = useEditor((state) => state.history.doc.nodes);
  const wires = useEditor((state) => state.history.doc.wires);
  const programs = useEditor((state) => state.history.doc.programs);
  const newest = useRef(0);
  useEffect(() => {
    const turn = ++newest.current;
    const doc: ModelDoc = { ...EMPTY_DOC, nodes, wires, programs };
    const set = (checks: Partial<Checks>, answered?: ModelDoc) => {
      if (turn === newest.current) store.getState().setChecks(checks, answered);
    };
    if (!store.getState().checks.stale) set({ stale: true });
    const ask = () =>
      validateDoc(doc, datasetId).then(
        (answer) =>
          set(
            {
              problems: answer.problems as readonly Problem[],
              types: flatTypes(answer.types),
              parameters: answer.parameters,
              stale: false,
              unreachable: null,
            },
            doc,
          ),
        (error: unknown) => set({ unreachable: error instanceof Error ? error.message : String(error) }),
      );
    const timer = setTimeout(ask, turn === 1 ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [nodes, wires, programs, datasetId, store]);
}

function sizesOf(dataset: DatasetChoice['chosen']): Sizes {
  const info = dataset?.info;
  if (!info) return SYMBOLS;
  return { features: info.features, edge_features: info.edge_features, classes: info.classes.length };
}

function flatTypes(types: Record<string, Record<string, ValueType>>): Map<string, ValueType> {
  return new Map(
    Object.entries(types).flatMap(([node, ports]) =>
      Object.entries(ports).map(([port, type]) => [`${node}.${port}`, type] as const),
    ),
  );
}
