import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { keepVersion, type ModelItem } from '../api';

/** Gives the saved draft a name and keeps it. */
export function KeepForm({ model }: { model: ModelItem }) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const keep = useMutation({
    mutationFn: () => keepVersion(model.id, model.draft_etag, note),
    onSuccess: async (version) => {
      setNote('');
      notifications.show({ message: `Kept as version ${version.number}.` });
      await queries.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const nothing = !model.draft_differs;
  return (
    <form
      className="keep-form"
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <input
        className="field-look grow"
        value={note}
        maxLength={500}
        placeholder={nothing ? 'The draft is the newest version' : 'Name of the next version'}
        aria-label="Name of the version"
        disabled={nothing}
        onChange={(event) => setNote(event.target.value)}
      />
      <button type="submit" className="btn primary" disabled={nothing || keep.isPending}>
        Keep the draft
      </button>
      <CopyAs what="Keep the draft" call={() => keepVersion(model.id, model.draft_etag, note)} />
      {keep.error && (
        <p className="text-err" role="alert">
          {keep.error.message}
        </p>
      )}
    </form>
  );
}
