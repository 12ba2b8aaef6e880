import './keep-form.css';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { keepVersion } from '../api';

interface KeepProps {
  modelId: string;
  /** The draft as the server has it; `flush` sends it what it lacks first. */
  draft: { readonly etag: string; flush?: () => Promise<void> };
  /** The draft is the newest version: there is nothing to keep. */
  same: boolean;
  onKept?: (number: number) => void;
}

/** Gives the draft a name and keeps it as a version. */
export function KeepForm({ modelId, draft, same, onKept }: KeepProps) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const keep = useMutation({
    mutationFn: async () => {
      await draft.flush?.();
      return keepVersion(modelId, draft.etag, note);
    },
    onSuccess: async ({ number }) => {
      setNote('');
      notifications.show({ message: `Saved as version ${number}.` });
      await queries.invalidateQueries({
        queryKey: ['models'],
        // An editor that is open knows its draft better.
        predicate: (query) => !(draft.flush && query.queryKey[2] === 'draft'),
      });
      onKept?.(number);
    },
  });
  return (
    <form
      className="keep-form"
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <input
        className="field-look"
        value={note}
        maxLength={500}
        placeholder={same ? 'The draft is the newest version' : 'Name of the version'}
        aria-label="Name of the version"
        disabled={same}
        onChange={(event) => setNote(event.target.value)}
      />
      <button type="submit" className="btn primary" disabled={same || keep.isPending}>
        Save version
      </button>
      <CopyAs what="Save a version" call={() => keepVersion(modelId, draft.etag, note)} />
      {keep.error && (
        <p className="text-err" role="alert">
          {keep.error.message}
        </p>
      )}
    </form>
  );
}
