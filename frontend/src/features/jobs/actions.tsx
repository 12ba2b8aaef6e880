import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { useJobAction } from '@/api/jobs';
import type { Job, JobAction } from '@/api/types';

interface ActionLook {
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  danger?: boolean;
}

const LOOKS: Record<JobAction, ActionLook> = {
  cancel: { label: 'Cancel', icon: IconPlayerStop, danger: true },
  retry: { label: 'Retry', icon: IconRefresh },
  clone: { label: 'Clone', icon: IconCopy },
  delete: { label: 'Delete', icon: IconTrash, danger: true },
};
const ORDER: readonly JobAction[] = ['cancel', 'retry', 'clone', 'delete'];

function useAct(job: Job) {
  const mutation = useJobAction();
  const navigate = useNavigate();
  const run = (action: JobAction) =>
    mutation.mutate(
      { id: job.id, action },
      {
        onSuccess: () => action === 'delete' && void navigate({ to: '/jobs' }),
        onError: (error) =>
          notifications.show({
            color: 'red',
            title: `${LOOKS[action].label} did not work`,
            message: error.message,
          }),
      },
    );
  return { run, pending: mutation.isPending };
}

/** What cannot be undone is asked for twice. */
function DeleteButton(props: { job: Job; className: string; pending: boolean; onDelete: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className={props.className}
        disabled={props.pending}
        onClick={() => setAsking(true)}
      >
        <IconTrash size={14} stroke={1.75} />
        Delete
      </button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Delete ${props.job.name}?`}>
        <div className="stack">
          <p>Its curves, log, events and files are deleted with it. This cannot be undone.</p>
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <button type="button" className="btn" onClick={() => setAsking(false)} data-autofocus>
              Keep it
            </button>
            <button type="button" className="btn danger" disabled={props.pending} onClick={props.onDelete}>
              Delete the job
            </button>
          </div>
        </div>
      </Modal>
    </>
  );
}

/** Buttons for what the server allows now, and nothing else. */
export function JobActions({ job, small = false }: { job: Job; small?: boolean }) {
  const { run, pending } = useAct(job);
  const allowed = ORDER.filter((action) => job.actions.includes(action));
  const shown = small ? allowed.filter((action) => action !== 'delete') : allowed;
  const size = small ? ' small ghost' : '';
  return (
    <>
      {shown.map((action) => {
        const look = LOOKS[action];
        const content = (
          <>
            <look.icon size={14} stroke={1.75} />
            {look.label}
          </>
        );
        // A clone opens the filled form: one field changed, then Start.
        if (action === 'clone') {
          return (
            <Link
              key={action}
              className={`btn${size}`}
              to="/jobs/new"
              search={{ kind: job.kind, from: job.id }}
            >
              {content}
            </Link>
          );
        }
        const className = `btn${size}${look.danger ? ' danger' : ''}`;
        if (action === 'delete') {
          return (
            <DeleteButton
              key={action}
              job={job}
              className={className}
              pending={pending}
              onDelete={() => run(action)}
            />
          );
        }
        return (
          <button
            key={action}
            type="button"
            className={className}
            disabled={pending}
            onClick={() => run(action)}
          >
            {content}
          </button>
        );
      })}
    </>
  );
}
