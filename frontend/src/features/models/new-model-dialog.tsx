import { Modal } from '@mantine/core';
import IconFilePlus from '@tabler/icons-react/icons/IconFilePlus';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { templatesQuery } from '@/api/catalog';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { createModel } from './api';
import { ImportForm } from './import-form';
import { isModelLink } from './share';

/** A new model: from a template, empty, or from a file. */
export function NewModelDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New model" size="lg" centered>
      <Choices />
    </Modal>
  );
}

function Choices() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const catalog = useCatalog();
  const templates = useQuery(templatesQuery);
  const [name, setName] = useState('');
  const given = useLinkGiven();
  const create = useMutation({
    mutationFn: createModel,
    onSuccess: async (model) => {
      await queries.invalidateQueries({ queryKey: ['models'] });
      await navigate({ to: '/models/$id', params: { id: model.id } });
    },
  });
  const named = (otherwise: string) => name.trim() || otherwise;
  const importing = (
    <ImportForm given={given} name={name} pending={create.isPending} onCreate={create.mutate} />
  );
  return (
    <div className="stack new-model">
      <div className="row">
        <input
          className="field-look grow"
          value={name}
          maxLength={120}
          placeholder="Name (may stay empty)"
          aria-label="Name of the new model"
          data-autofocus
          onChange={(event) => setName(event.target.value)}
        />
        <CopyAs
          actions={[
            { what: 'Create an empty model', call: () => createModel({ name: named('untitled') }) },
            ...(templates.data ?? []).map(({ name: template, title }) => ({
              what: `Create ${title}`,
              call: () => createModel({ name: named(template), template }),
            })),
          ]}
        />
      </div>
      {given !== '' && importing}
      <div className="new-grid" data-commands="no">
        {templates.data?.map((template) => (
          <button
            key={template.name}
            type="button"
            className="new-choice"
            disabled={create.isPending}
            onClick={() => create.mutate({ name: named(template.name), template: template.name })}
          >
            <span className="new-drawing">
              <ModelThumbnail doc={docFrom(template.doc)} catalog={catalog} />
            </span>
            <b>{template.title}</b>
            <span className="caption">{template.description}</span>
          </button>
        ))}
        <button
          type="button"
          className="new-choice"
          disabled={create.isPending}
          onClick={() => create.mutate({ name: named('untitled') })}
        >
          <span className="new-drawing icon">
            <IconFilePlus size={24} stroke={1.5} />
          </span>
          <b>Empty</b>
          <span className="caption">Draw it from the palette.</span>
        </button>
      </div>
      {given === '' && importing}
      {create.error && (
        <p className="text-err" role="alert">
          {create.error.message}
        </p>
      )}
    </div>
  );
}

/** A link with a model in it, as it was opened; the address is rid of it once it was read. */
function useLinkGiven(): string {
  const given = useRef(isModelLink(location.hash) ? location.hash : '');
  useEffect(() => {
    if (given.current !== '') history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  return given.current;
}
