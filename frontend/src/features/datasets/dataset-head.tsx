import { Modal } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlayFilled';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { systemsQuery } from '@/api/catalog';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { age } from '@/ui/format';
import { type DatasetDetail, deleteDataset, type Goal, readDataset, renameDataset } from './api';
import { DatasetStatus } from './dataset-status';

/** Name, state, what it is, and what may be done with it. */
export function DatasetHead({ dataset }: { dataset: DatasetDetail }) {
  const ready = dataset.state === 'ready';
  return (
    <header className="dataset-head">
      <div className="row wrap">
        <div className="row">
          <Name dataset={dataset} />
          <DatasetStatus dataset={dataset} pill />
        </div>
        <div className="row wrap grow">
          {dataset.info?.goals.map((goal) => (
            <span key={goal} className="chip" title="What can be learnt from it">
              {GOAL_WORDS[goal]}
            </span>
          ))}
          {dataset.info?.heterogeneous && <span className="chip">heterogeneous</span>}
          {dataset.info && <span className="chip">{dataset.info.directed ? 'directed' : 'undirected'}</span>}
          {dataset.info && dataset.info.graphs > 1 && (
            <span className="chip">{dataset.info.graphs} graphs</span>
          )}
        </div>
        <div className="row dataset-actions">
          <CopyAs
            actions={[
              { what: 'Read the dataset', call: () => readDataset(dataset.id) },
              ...(dataset.actions.includes('delete')
                ? [{ what: 'Delete', call: () => deleteDataset(dataset.id) }]
                : []),
            ]}
          />
          {dataset.actions.includes('delete') && <DeleteButton dataset={dataset} />}
          {ready && (
            <a className="btn" href={`/api/v1/datasets/${dataset.id}/export`} download>
              <IconDownload size={15} stroke={1.75} />
              Export
            </a>
          )}
          {ready && <TrainLink dataset={dataset} />}
        </div>
      </div>
      <p className="text-2">
        {dataset.description} {sourceWord(dataset)}
        {dataset.info?.source ? ` (${dataset.info.source})` : ''}, {age(dataset.created_at, Date.now())} ago.
      </p>
    </header>
  );
}

/** The kind of job that trains on such a graph, where it is installed. */
function TrainLink({ dataset }: { dataset: DatasetDetail }) {
  const { data: systems } = useQuery(systemsQuery);
  const kind = dataset.info?.heterogeneous ? 'hgl' : 'seastar';
  if (kind !== 'seastar' && !systems?.some((system) => system.kind === kind)) return null;
  return (
    <Link className="btn primary" to="/jobs/new" search={{ kind, dataset: dataset.id }}>
      <IconPlayerPlay size={14} />
      Train on this
    </Link>
  );
}

const GOAL_WORDS: Readonly<Record<Goal, string>> = {
  node_classification: 'vertex classification',
  link_prediction: 'link prediction',
  graph_classification: 'graph classification',
};

const SOURCES: Readonly<Record<string, string>> = {
  bundled: 'Comes with the installation',
  generator: 'Made from a seed',
  upload: 'Uploaded',
  folder: 'Read from a folder of the server',
};

function sourceWord(dataset: DatasetDetail): string {
  return SOURCES[dataset.source_type] ?? dataset.source_type;
}

function Name({ dataset }: { dataset: DatasetDetail }) {
  const queries = useQueryClient();
  const [text, setText] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (name: string) => renameDataset(dataset.id, name),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['datasets'] }),
  });
  const done = () => {
    const name = text?.trim();
    if (name && name !== dataset.name) rename.mutate(name);
    setText(null);
  };
  if (text === null) {
    return (
      <h1>
        <button type="button" className="plain-name" title="Rename" onClick={() => setText(dataset.name)}>
          {rename.isPending ? rename.variables : dataset.name}
        </button>
      </h1>
    );
  }
  return (
    <input
      className="field-look"
      value={text}
      maxLength={120}
      aria-label="Name of the dataset"
      // biome-ignore lint/a11y/noAutofocus: the field takes the place of the button that was pressed
      autoFocus
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === 'Enter') done();
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}

function DeleteButton({ dataset }: { dataset: DatasetDetail }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteDataset(dataset.id),
    onSuccess: async () => {
      await navigate({ to: '/datasets' });
      queries.removeQueries({ queryKey: ['datasets', dataset.id] });
      await queries.invalidateQueries({ queryKey: ['datasets'] });
    },
  });
  return (
    <>
      <button type="button" className="btn danger" onClick={() => setOpen(true)}>
        <IconTrash size={15} stroke={1.75} />
        Delete
      </button>
      <Modal opened={open} onClose={() => setOpen(false)} title={`Delete “${dataset.name}”?`} centered>
        <div className="stack">
          <p>Its arrays are deleted from this server for good. Finished jobs keep their results.</p>
          {remove.error && (
            <p className="text-err" role="alert">
              {remove.error.message}
            </p>
          )}
          <div className="row">
            <button
              type="button"
              className="btn danger"
              disabled={remove.isPending}
              onClick={() => remove.mutate()}
            >
              Delete dataset
            </button>
            <button type="button" className="btn" data-autofocus onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </div>
      </Modal>
    </>
  );
}
