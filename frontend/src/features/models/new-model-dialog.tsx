import { Modal } from '@mantine/core';
import IconFileImport from '@tabler/icons-react/icons/IconFileImport';
import IconFilePlus from '@tabler/icons-react/icons/IconFilePlus';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { templatesQuery } from '@/api/catalog';
import { readFragment } from '@/canvas/model/clipboard';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { docFrom, useCatalog } from '@/canvas/view/use-catalog';
import { createModel } from './api';

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
  const file = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [notes, setNotes] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: createModel,
    onSuccess: async (model) => {
      await queries.invalidateQueries({ queryKey: ['models'] });
      await navigate({ to: '/models/$id', params: { id: model.id } });
    },
  });
  const named = (otherwise: string) => name.trim() || otherwise;
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    const { fragment, notes: found } = readFragment(await chosen.text());
    setNotes(found);
    if (fragment.nodes.length > 0)
      create.mutate({ name: named(chosen.name.replace(/\.json$/i, '')), doc: fragment });
  };
  return (
    <div className="stack new-model">
      <input
        className="field-look"
        value={name}
        maxLength={120}
        placeholder="Name (may stay empty)"
        aria-label="Name of the new model"
        data-autofocus
        onChange={(event) => setName(event.target.value)}
      />
      <div className="new-grid">
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
        <button
          type="button"
          className="new-choice"
          disabled={create.isPending}
          onClick={() => file.current?.click()}
        >
          <span className="new-drawing icon">
            <IconFileImport size={24} stroke={1.5} />
          </span>
          <b>From a file</b>
          <span className="caption">A model exported as JSON.</span>
        </button>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
      {notes.map((note) => (
        <p key={note} className="text-err" role="alert">
          {note}
        </p>
      ))}
      {create.error && (
        <p className="text-err" role="alert">
          {create.error.message}
        </p>
      )}
    </div>
  );
}
