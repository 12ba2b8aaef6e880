import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { datasetsQuery } from './api';
import { modelPage } from './route';

const REMEMBERED = 'asterism.dataset';

/** The dataset whose sizes the editor shows: the address names it, else the last one chosen, else the first. */
export function useDataset() {
  const wanted = modelPage.useSearch().dataset ?? localStorage.getItem(REMEMBERED);
  const navigate = useNavigate();
  const { data = [] } = useQuery(datasetsQuery);
  const ready = data.filter((dataset) => dataset.state === 'ready');
  const chosen = ready.find((dataset) => dataset.id === wanted) ?? ready[0] ?? null;
  const choose = useCallback(
    (id: string) => {
      localStorage.setItem(REMEMBERED, id);
      void navigate({
        to: '.',
        search: (old: Record<string, unknown>) => ({ ...old, dataset: id }),
        replace: true,
      });
    },
    [navigate],
  );
  return { ready, chosen, choose };
}

export type DatasetChoice = ReturnType<typeof useDataset>;
