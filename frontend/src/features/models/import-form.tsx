import { useDebouncedValue } from '@mantine/hooks';
import IconFileImport from '@tabler/icons-react/icons/IconFileImport';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ModelThumbnail } from '@/canvas/view/thumbnail';
import { useCatalog } from '@/canvas/view/use-catalog';
import { CopyAs } from '@/ui/copy-as/copy-as';
import { createModel } from './api';
import { convertCode, readImport } from './read-import';

interface ImportProps {
  /** Said by a link that was opened. */
  given: string;
  name: string;
  pending: boolean;
  onCreate: (body: Parameters<typeof createModel>[0]) => void;
}

/** A model from a file or a pasted text, looked at before it is made. */
export function ImportForm({ given, name, pending, onCreate }: ImportProps) {
  const catalog = useCatalog();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(given);
  const [fileName, setFileName] = useState<string | null>(null);
  const [rested] = useDebouncedValue(text, 200);
  const { data: found, error } = useQuery({
    queryKey: ['import', rested],
    queryFn: () => readImport(rested),
    gcTime: 0,
    retry: false,
  });
  const doc = found?.doc ?? null;
  const named = name.trim() || found?.name || fileName || 'imported';
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFileName(chosen.name.replace(/\.(json|py|txt)$/i, ''));
    setText(await chosen.text());
  };
  return (
    <section className="stack tight" aria-label="Import">
      <div className="row between">
        <h3>Import</h3>
        <button type="button" className="btn small" onClick={() => file.current?.click()}>
          <IconFileImport size={14} /> Choose a file
        </button>
      </div>
      <textarea
        className="field-look mono import-text"
        rows={4}
        value={text}
        spellCheck={false}
        aria-label="Model to import: JSON, Python or a link"
        placeholder="Or paste a model: exported JSON, the Python of the code pane, or a link with a model in it"
        onChange={(event) => {
          setText(event.target.value);
          setFileName(null);
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void read(event.dataTransfer.files[0]);
        }}
      />
      <input
        ref={file}
        type="file"
        accept=".json,.py,.txt,application/json,text/x-python"
        hidden
        onChange={(event) => void read(event.target.files?.[0])}
      />
      {error && (
        <p className="text-err" role="alert">
          {error.message}
        </p>
      )}
      {found && found.notes.length > 0 && (
        <ul className={doc ? 'import-notes' : 'import-notes text-err'} role="alert">
          {found.notes.slice(0, 8).map((note) => (
            <li key={note}>{note}</li>
          ))}
          {found.notes.length > 8 && <li>and {found.notes.length - 8} more</li>}
        </ul>
      )}
      {doc && (
        <div className="row import-found">
          <span className="new-drawing">
            <ModelThumbnail doc={doc} catalog={catalog} />
          </span>
          <span className="grow">
            <b>{named}</b>
            <br />
            <span className="caption">
              {doc.nodes.length} layers, {doc.wires.length} wires
              {doc.programs.length > 0 && `, ${doc.programs.length} vertex programs`}
            </span>
          </span>
          <CopyAs
            actions={[
              { what: 'Create the model', call: () => createModel({ name: named, doc }) },
              { what: 'Read Python as a model', call: () => convertCode(text) },
            ]}
          />
          <button
            type="button"
            className="btn primary"
            disabled={pending}
            onClick={() => onCreate({ name: named, doc })}
          >
            Create the model
          </button>
        </div>
      )}
    </section>
  );
}
