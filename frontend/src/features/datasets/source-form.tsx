import type { ReactNode } from 'react';
import type { DatasetCreate, Sources } from './api';

export interface FormProps {
  sources: Sources;
  pending: boolean;
  onCreate: (body: DatasetCreate) => void;
}

/** The frame of each way: its fields, the name, and the one button. */
export function SourceForm(props: {
  name: string;
  onName: (name: string) => void;
  ready: boolean;
  pending: boolean;
  action: string;
  children: ReactNode;
  onSubmit: () => void;
}) {
  const { name, onName, ready, pending, action, children, onSubmit } = props;
  return (
    <form
      className="card source-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <label className="name-field">
        <span>Name</span>
        <input
          className="field-look"
          value={name}
          maxLength={120}
          required
          onChange={(event) => onName(event.target.value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="btn primary" disabled={!ready || pending || name.trim() === ''}>
          {pending ? 'Working…' : action}
        </button>
      </div>
    </form>
  );
}
