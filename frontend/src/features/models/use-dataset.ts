import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { templatesQuery } from '@/api/catalog';
import { datasetsQuery } from './api';
import { modelPage } from './route';

const REMEMBERED = 'asterism.dataset';

/** The dataset whose sizes the editor shows: the one of the address, else the last chosen, the template's, or one with classes. */
export function useDataset(template: string | null) {
  const named = modelPage.useSearch().dataset;
  const navigate = useNavigate();
  const { data = [] } = useQuery(datasetsQuery);
  const templates = useQuery({ ...templatesQuery, enabled: template !== null });
  const ready = data.filter((dataset) => dataset.state === 'ready');
  const wishes = [
    named,
    localStorage.getItem(REMEMBERED),
    templates.data?.find((one) => one.name === template)?.dataset_id,
    ready.find((dataset) => dataset.info?.goals.includes('node_classification'))?.id,
  ];
  const chosen =
    wishes.map((id) => ready.find((dataset) => dataset.id === id)).find(Boolean) ?? ready[0] ?? null;
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
