import { useState } from 'react';
import type { Value } from '@/ui/schema-form/fields';
import { Note } from '@/ui/states';
import { FormatTable } from './format-table';
import { OptionsForm } from './options-form';
import { type FormProps, SourceForm } from './source-form';

export function FolderForm({ sources, pending, onCreate }: FormProps) {
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [options, setOptions] = useState<Value>({});
  const named = name || path.split('/').filter(Boolean).at(-1) || '';
  return (
    <SourceForm
      name={named}
      onName={setName}
      ready={path.startsWith('/')}
      pending={pending}
      action="Import"
      onSubmit={() => onCreate({ name: named, source: { type: 'folder', path }, options })}
    >
      {!sources.folders && (
        <Note tone="warn">This server opens no folders. Its owner names them in ASTERISM_DATA_ROOTS.</Note>
      )}
      <label className="name-field">
        <span>Folder on the server</span>
        <input
          className="field-look mono"
          value={path}
          placeholder="/srv/graphs/cora"
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      <FormatTable formats={sources.formats} />
      <OptionsForm sources={sources} value={options} onChange={setOptions} />
    </SourceForm>
  );
}
