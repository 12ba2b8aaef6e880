import './datasets.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { randomKey } from '@/api/key';
import { ApiProblem } from '@/api/problem';
import { ErrorState, Loading, Note } from '@/ui/states';
import { createDataset, type DatasetCreate, sourcesQuery } from './api';
import { BundledForm } from './bundled-form';
import { FolderForm } from './folder-form';
import { GeneratorForm } from './generator-form';
import { newDatasetPage } from './route';
import type { FormProps } from './source-form';
import { UploadForm } from './upload-form';

const FORMS = {
  upload: ['Upload files', UploadForm],
  bundled: ['Bundled graph', BundledForm],
  generator: ['Generator', GeneratorForm],
  folder: ['Server folder', FolderForm],
} as const satisfies Record<string, readonly [string, (props: FormProps) => React.ReactNode]>;

type Way = keyof typeof FORMS;

/** Four ways to a dataset, one form each. */
export default function NewDatasetPage() {
  const { from } = newDatasetPage.useSearch();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const sources = useQuery(sourcesQuery);
  const way: Way = from !== undefined && from in FORMS ? (from as Way) : 'upload';
  const [key, setKey] = useState(randomKey);
  const create = useMutation({
    mutationFn: (body: DatasetCreate) => createDataset(body, key),
    onSuccess: async (dataset) => {
      await queries.invalidateQueries({ queryKey: ['datasets'] });
      await navigate({ to: '/datasets/$id', params: { id: dataset.id } });
    },
    onError: () => setKey(randomKey()),
  });
  if (sources.error) return <ErrorState error={sources.error} retry={() => void sources.refetch()} />;
  if (!sources.data) return <Loading rows={6} />;
  const ways = (Object.keys(FORMS) as Way[]).filter(
    (name) => name !== 'folder' || sources.data.folders || way === 'folder',
  );
  const Form = FORMS[way][1];
  return (
    <div className="page narrow-page">
      <div className="page-title">
        <h1>New dataset</h1>
      </div>
      <fieldset className="segments ways" aria-label="Where it comes from">
        {ways.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={way === name}
            onClick={() => {
              create.reset();
              void navigate({ to: '/datasets/new', search: { from: name }, replace: true });
            }}
          >
            {FORMS[name][0]}
          </button>
        ))}
      </fieldset>
      {create.error && <CreateError error={create.error} />}
      <Form
        sources={sources.data}
        pending={create.isPending || create.isSuccess}
        onCreate={(body) => create.mutate(body)}
      />
    </div>
  );
}

function CreateError({ error }: { error: Error }) {
  const items = error instanceof ApiProblem ? error.errors : [];
  return (
    <Note tone="err" role="alert">
      <b>The dataset was not made.</b> {items.length === 0 && error.message}
      {items.map((item) => (
        <div key={item.pointer + item.message}>
          <code>{item.pointer}</code> {item.message} {item.hint}
        </div>
      ))}
    </Note>
  );
}
