import IconFile from '@tabler/icons-react/icons/IconFile';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import { type DragEvent, useRef, useState } from 'react';
import { bytes, percent } from '@/ui/format';
import type { Value } from '@/ui/schema-form/fields';
import { Note } from '@/ui/states';
import { dropUpload, type Sending, sendFiles, type Upload } from './api';
import { FormatTable } from './format-table';
import { OptionsForm } from './options-form';
import { type FormProps, SourceForm } from './source-form';

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'sending'; readonly files: readonly File[]; readonly ratio: number }
  | { readonly kind: 'sent'; readonly upload: Upload }
  | { readonly kind: 'failed'; readonly message: string };

/** Files by drop or by choice, sent with their progress, looked at by the server, then imported. */
export function UploadForm({ sources, pending, onCreate }: FormProps) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const [name, setName] = useState('');
  const [options, setOptions] = useState<Value>({});
  const sending = useRef<Sending | null>(null);
  const send = (files: readonly File[]) => {
    if (files.length === 0) return;
    const total = files.reduce((sum, file) => sum + file.size, 0);
    if (total > sources.max_upload_bytes) {
      setState({
        kind: 'failed',
        message: `These are ${bytes(total)}; at most ${bytes(sources.max_upload_bytes)} can be sent.`,
      });
      return;
    }
    setState({ kind: 'sending', files, ratio: 0 });
    sending.current = sendFiles(files, (ratio) => setState({ kind: 'sending', files, ratio }));
    sending.current.done.then(
      (upload) => {
        setState({ kind: 'sent', upload });
        setName((before) => before || nameOf(files));
      },
      (error: Error) => setState({ kind: 'failed', message: error.message }),
    );
  };
  const again = () => {
    if (state.kind === 'sent') void dropUpload(state.upload.id).catch(() => undefined);
    setState({ kind: 'empty' });
  };
  const submit = () => {
    if (state.kind === 'sent')
      onCreate({ name: name.trim(), source: { type: 'upload', upload_id: state.upload.id }, options });
  };
  return (
    <SourceForm
      name={name}
      onName={setName}
      ready={state.kind === 'sent' && state.upload.problem === null}
      pending={pending}
      action="Import"
      onSubmit={submit}
    >
      {state.kind === 'sent' ? (
        <Sent upload={state.upload} onAgain={again} />
      ) : state.kind === 'sending' ? (
        <SendingNow files={state.files} ratio={state.ratio} onCancel={() => sending.current?.cancel()} />
      ) : (
        <DropZone onFiles={send} />
      )}
      {state.kind === 'failed' && (
        <Note tone="err" role="alert">
          {state.message}
        </Note>
      )}
      <FormatTable formats={sources.formats} />
      <OptionsForm
        sources={sources}
        value={options}
        told={state.kind === 'sent' ? state.upload.format : null}
        onChange={setOptions}
      />
    </SourceForm>
  );
}

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <label
      className="drop-zone"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={24} stroke={1.5} />
      <b>Drop the files of one graph here, or choose them</b>
      <span className="caption">All files of one format together, or one .zip or .tar.gz of them</span>
      <input
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Files to upload"
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
    </label>
  );
}

function SendingNow({
  files,
  ratio,
  onCancel,
}: {
  files: readonly File[];
  ratio: number;
  onCancel: () => void;
}) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <div className="sending" role="status">
      <div className="row between">
        <span>
          Sending {files.length} file{files.length === 1 ? '' : 's'}, {bytes(total)}: {percent(ratio, 0)}
        </span>
        <button type="button" className="btn small" onClick={onCancel}>
          Cancel
        </button>
      </div>
      <div className="meter">
        <i style={{ width: `${100 * ratio}%` }} />
      </div>
    </div>
  );
}

function Sent({ upload, onAgain }: { upload: Upload; onAgain: () => void }) {
  return (
    <div className="stack tight">
      <ul className="sent-files">
        {upload.files.map((file) => (
          <li key={file.name}>
            <IconFile size={15} stroke={1.75} />
            <span className="ellipsis">{file.name}</span>
            <span className="caption">{bytes(file.size_bytes)}</span>
          </li>
        ))}
      </ul>
      {upload.problem ? (
        <Note tone="err" role="alert">
          {upload.problem}
        </Note>
      ) : (
        <Note tone={upload.format ? 'ok' : 'info'} role="status">
          {upload.format
            ? `Looks like ${upload.format_title ?? upload.format}.`
            : 'The format cannot be told from the names; choose it in the options.'}
        </Note>
      )}
      {upload.tables.map((table) => (
        <p key={table.file} className="caption">
          <code>{table.file}</code> has {table.named ? 'columns' : 'unnamed columns'}{' '}
          {table.columns.slice(0, 12).join(', ')}
          {table.columns.length > 12 && ` and ${table.columns.length - 12} more`}
        </p>
      ))}
      <div>
        <button type="button" className="btn small" onClick={onAgain}>
          Choose other files
        </button>
      </div>
    </div>
  );
}

/** A name to begin with: that of the only file, or what all names begin with. */
function nameOf(files: readonly File[]): string {
  const names = files.map((file) => file.name.replace(/\.(tar\.gz|[A-Za-z0-9]+)$/, ''));
  const first = names[0] ?? '';
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length).replace(/[._-]+$/, '') || first;
}
