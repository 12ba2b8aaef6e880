import { Menu, Modal } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconDots from '@tabler/icons-react/icons/IconDots';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { exportText } from '@/canvas/model/clipboard';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { useCatalog } from '@/canvas/view/use-catalog';
import { CopyAsItems } from '@/ui/copy-as/copy-as';
import { download } from '@/ui/download';
import { age } from '@/ui/format';
import { deleteModel, duplicateModel, type ModelItem, readDraft, renameModel, sketchQuery } from './api';

export function ModelRow({ model, unsaved }: { model: ModelItem; unsaved: boolean }) {
  const sketch = useQuery(sketchQuery(model));
  const catalog = useCatalog();
  return (
    <tr data-model={model.id}>
      <td className="models-drawing">
        <Link to="/models/$id" params={{ id: model.id }} tabIndex={-1} aria-hidden="true">
          {sketch.data && <ModelThumbnail doc={sketch.data} catalog={catalog} />}
        </Link>
      </td>
      <td>
        <Link className="models-name" to="/models/$id" params={{ id: model.id }}>
          {model.name}
        </Link>
        {unsaved && (
          <span className="chip warn">
            <IconAlertTriangle size={12} />
            Unsaved changes here
          </span>
        )}
      </td>
      <td>
        {model.newest_version === 0 ? (
          <span className="text-3">draft</span>
        ) : (
          <Link
            className="chip"
            to="/models/$id/versions"
            params={{ id: model.id }}
            aria-label={`v${model.newest_version}, versions of ${model.name}`}
          >
            v{model.newest_version}
          </Link>
        )}
        {model.newest_version > 0 && model.draft_differs && <span className="text-3"> + draft</span>}
      </td>
      <td className="desk-only">{model.nodes}</td>
      <td className="desk-only text-2">{model.template ?? <span className="text-3">none</span>}</td>
      <td className="num" title={new Date(model.updated_at).toLocaleString()}>
        {age(model.updated_at, Date.now())}
      </td>
      <td className="models-actions">
        <ModelMenu model={model} />
      </td>
    </tr>
  );
}

function ModelMenu({ model }: { model: ModelItem }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['models'] });
  const duplicate = useMutation({ mutationFn: () => duplicateModel(model.id), onSuccess: refresh });
  const save = async () =>
    download(`${model.name}.json`, exportText((await readDraft(model.id)).doc), 'application/json');
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <button
            type="button"
            className="btn ghost small icon-only"
            aria-label={`Actions for ${model.name}`}
          >
            <IconDots size={16} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void navigate({ to: '/models/$id/versions', params: { id: model.id } })}>
            Versions
          </Menu.Item>
          <Menu.Item onClick={() => setAsking('rename')}>Rename</Menu.Item>
          <Menu.Item onClick={() => duplicate.mutate()}>Duplicate</Menu.Item>
          <Menu.Item onClick={() => void save()}>Export as JSON</Menu.Item>
          <Menu.Item color="var(--err)" onClick={() => setAsking('delete')}>
            Delete
          </Menu.Item>
          <Menu.Divider />
          <CopyAsItems what="Rename" call={() => renameModel(model.id, model.name)} />
          <CopyAsItems what="Duplicate" call={() => duplicateModel(model.id)} />
          <CopyAsItems what="Delete" call={() => deleteModel(model.id)} />
        </Menu.Dropdown>
      </Menu>
      {asking === 'rename' && <RenameDialog model={model} onClose={() => setAsking(null)} onDone={refresh} />}
      {asking === 'delete' && <DeleteDialog model={model} onClose={() => setAsking(null)} onDone={refresh} />}
    </>
  );
}

interface DialogProps {
  model: ModelItem;
  onClose: () => void;
  onDone: () => Promise<void>;
}

function RenameDialog({ model, onClose, onDone }: DialogProps) {
  const [name, setName] = useState(model.name);
  const rename = useMutation({
    mutationFn: () => renameModel(model.id, name.trim()),
    onSuccess: async () => {
      await onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Rename model" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <input
          className="field-look"
          value={name}
          maxLength={120}
          aria-label="Name"
          data-autofocus
          onChange={(event) => setName(event.target.value)}
        />
        {rename.error && <p className="text-err">{rename.error.message}</p>}
        <div className="row">
          <button type="submit" className="btn primary" disabled={name.trim() === '' || rename.isPending}>
            Rename
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}

function DeleteDialog({ model, onClose, onDone }: DialogProps) {
  const remove = useMutation({
    mutationFn: () => deleteModel(model.id),
    onSuccess: async () => {
      await onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete “${model.name}”?`} centered>
      <div className="stack">
        <p>
          Its draft and {model.newest_version === 1 ? 'its version' : `its ${model.newest_version} versions`}{' '}
          go for good. Jobs keep the documents they ran.
        </p>
        {remove.error && <p className="text-err">{remove.error.message}</p>}
        <div className="row">
          <button
            type="button"
            className="btn danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Delete model
          </button>
          <button type="button" className="btn" onClick={onClose} data-autofocus>
            Cancel
          </button>
        </div>
      </div>
    </Modal>
  );
}
