import { useQuery } from '@tanstack/react-query';
import { randomKey } from '@/api/key';
import { catalogQuery } from '@/canvas/view/use-catalog';
import { ErrorState, Loading } from '@/ui/states';
import { useTitle } from '@/ui/title';
import { draftQuery, modelQuery } from './api';
import { Editor } from './editor';
import { browserDrafts, tabId } from './local-drafts';
import { modelPage } from './route';

const tab = tabId(randomKey);

/** Loads a model's draft, what this browser still holds of it, and the palette; then edits. */
export default function EditorPage() {
  const { id = '' } = modelPage.useParams();
  const model = useQuery(modelQuery(id));
  const draft = useQuery(draftQuery(id));
  const catalog = useQuery(catalogQuery);
  const kept = useQuery({
    queryKey: ['models', id, 'kept here'],
    queryFn: () => browserDrafts.newest(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTitle(model.data?.name);
  const failed = [model, draft, catalog].find((query) => query.error);
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />;
  if (!model.data || !draft.data || !catalog.data || kept.data === undefined)
    return <Loading rows={8} label="Opening the model" />;
  return (
    <Editor
      key={`${id} ${draft.data.etag}`}
      model={model.data}
      draft={draft.data}
      catalog={catalog.data}
      kept={kept.data}
      tab={tab}
    />
  );
}
