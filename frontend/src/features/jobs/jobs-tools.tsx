import { Menu, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconBookmark from '@tabler/icons-react/icons/IconBookmark';
import IconChartLine from '@tabler/icons-react/icons/IconChartLine';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconColumns from '@tabler/icons-react/icons/IconColumns3';
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useJobAction } from '@/api/jobs';
import type { Job } from '@/api/types';
import { plural } from '@/ui/format';
import { COLUMNS } from '@/ui/job/columns';
import { useSavedViews } from './saved-views';
import type { JobsView } from './use-jobs-view';

/** Which columns the table has. */
export function ColumnsMenu({ view }: { view: JobsView }) {
  const toggle = (id: string) => {
    const on = new Set(view.columns);
    if (!on.delete(id)) on.add(id);
    view.setColumns(COLUMNS.map((column) => column.id).filter((column) => on.has(column)));
  };
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className="btn">
          <IconColumns size={14} />
          Columns
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMNS.slice(1).map((column) => (
          <Menu.Item
            key={column.id}
            role="menuitemcheckbox"
            aria-checked={view.columns.includes(column.id)}
            leftSection={
              view.columns.includes(column.id) ? <IconCheck size={14} /> : <span style={{ width: 14 }} />
            }
            onClick={() => toggle(column.id)}
          >
            {column.head}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function SaveView({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
  };
  return (
    <Modal opened onClose={onClose} title="Save this view">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Name"
          description="Filters, order and columns are kept in this browser."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          data-autofocus
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <button type="submit" className="btn primary" disabled={!name.trim()}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** Views kept by name in this browser. */
export function ViewsMenu({ view }: { view: JobsView }) {
  const { views, save, remove } = useSavedViews();
  const [naming, setNaming] = useState(false);
  const navigate = useNavigate();
  const { ticked: _ticked, ...kept } = view.search;
  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button" className="btn">
            <IconBookmark size={14} />
            Views
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(({ name, search }) => (
            <Menu.Item
              key={name}
              onClick={() => void navigate({ to: '/jobs', search })}
              rightSection={
                <IconTrash
                  size={14}
                  role="button"
                  aria-label={`Forget the view ${name}`}
                  onClick={(event) => {
                    event.stopPropagation();
                    remove(name);
                  }}
                />
              }
            >
              {name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setNaming(true)}>Save this view</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <SaveView
          onClose={() => setNaming(false)}
          onSave={(name) => {
            save({ name, search: kept });
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

/** Asks every ticked job that may be cancelled to stop, and says how many would not. */
function useBulkCancel(jobs: readonly Job[]) {
  const action = useJobAction();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const asked = jobs.map((job) => action.mutateAsync({ id: job.id, action: 'cancel' }));
    const failed = (await Promise.allSettled(asked)).filter((one) => one.status === 'rejected');
    setBusy(false);
    const done = `${plural(jobs.length - failed.length, 'job')} asked to stop`;
    if (failed.length === 0) return notifications.show({ message: done });
    const why = (failed[0] as PromiseRejectedResult).reason;
    notifications.show({
      color: 'red',
      title: `${done}, ${failed.length} could not be`,
      message: why instanceof Error ? why.message : String(why),
    });
  };
  return { run: () => void run(), busy };
}

/** What can be done with the ticked jobs. */
export function TickedBar({ view, jobs }: { view: JobsView; jobs: readonly Job[] }) {
  const { ticked } = view.ticking;
  const navigate = useNavigate();
  const cancellable = jobs.filter((job) => ticked.has(job.id) && job.actions.includes('cancel'));
  const cancel = useBulkCancel(cancellable);
  if (ticked.size === 0) return null;
  return (
    <div className="ticked-bar" role="toolbar" aria-label="Ticked jobs">
      <b>{ticked.size} ticked</b>
      <button
        type="button"
        className="btn small primary"
        onClick={() => void navigate({ to: '/compare', search: { jobs: [...ticked].join(',') } })}
      >
        <IconChartLine size={14} />
        Compare
      </button>
      {cancellable.length > 0 && (
        <button type="button" className="btn small danger" disabled={cancel.busy} onClick={cancel.run}>
          <IconPlayerStop size={14} />
          Cancel {cancellable.length}
        </button>
      )}
      <button
        type="button"
        className="btn small ghost"
        onClick={() => view.change({ ticked: undefined }, true)}
      >
        Untick all
      </button>
    </div>
  );
}
