import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '@/api/client';
import { randomKey } from '@/api/key';
import type { Template } from '@/api/types';

export function createFrom({ name }: Template) {
  return unwrap(
    api().POST('/api/v1/models', {
      headers: { 'Idempotency-Key': randomKey() },
      body: { name, template: name },
    }),
  );
}

/** Makes a model of a template and opens it in the editor, on the dataset the template suits. */
export function useOpenTemplate(template: Template) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => createFrom(template),
    onSuccess: async (model) => {
      await queries.invalidateQueries({ queryKey: ['models'] });
      await navigate({
        to: '/models/$id',
        params: { id: model.id },
        search: template.dataset_id ? { dataset: template.dataset_id } : {},
      });
    },
  });
}
