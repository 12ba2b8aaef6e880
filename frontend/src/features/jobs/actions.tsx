import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { act, readJob, startJob, useJobAction } from '@/api/jobs';
import { randomKey } from '@/api/key';
import type { Job, JobAction } from '@/api/types';
import { CopyAs } from '@/ui/copy-as/copy-as';

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

/** Acts on the job; `leave` goes to the list once it is deleted. */
function useAct(job: Job, leave: boolean) {
  const mutation = useJobAction();
  const navigate = useNavigate();
  const run = (action: JobAction) =>
    mutation.mutate(
      { id: job.id, action },
      {
        onSuccess: () => action === 'delete' && leave && void navigate({ to: '/jobs' }),
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
function DeleteButton(props: {
  job: Job;
  className: string;
  small: boolean;
  pending: boolean;
  onDelete: () => void;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className={props.className}
        disabled={props.pending}
        onClick={() => setAsking(true)}
      >
        <Face action="delete" small={props.small} />
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

/** What a button shows: in a row of a table its picture, its word for those who hear it or wait over it. */
function Face({ action, small }: { action: JobAction; small: boolean }) {
  const look = LOOKS[action];
  return (
    <>
      <look.icon size={small ? 16 : 14} stroke={1.75} />
      <span className={small ? 'visually-hidden' : undefined}>{look.label}</span>
    </>
  );
}

/** The same actions for a script. */
export function JobCopyAs({ job }: { job: Job }) {
  const actions = ORDER.filter((action) => job.actions.includes(action)).map((action) => ({
    what: LOOKS[action].label,
    call: () => act(job.id, action),
  }));
  const again = { what: 'Start a job like this', call: () => startJob(job.spec, randomKey()) };
  return <CopyAs actions={[{ what: 'Read the job', call: () => readJob(job.id) }, ...actions, again]} />;
}

/** Buttons for what the server allows now, and nothing else. */
export function JobActions({ job, small = false }: { job: Job; small?: boolean }) {
  const { run, pending } = useAct(job, !small);
  const shown = ORDER.filter((action) => job.actions.includes(action));
  return (
    <>
      {shown.map((action) => {
        const { label, danger } = LOOKS[action];
        const className = `btn${small ? ' small ghost icon-only' : ''}${danger ? ' danger' : ''}`;
        const shared = { className, title: small ? label : undefined };
        // A clone opens the filled form: one field changed, then Start.
        if (action === 'clone') {
          return (
            <Link key={action} {...shared} to="/jobs/new" search={{ kind: job.kind, from: job.id }}>
              <Face action={action} small={small} />
            </Link>
          );
        }
        if (action === 'delete') {
          const onDelete = () => run(action);
          return <DeleteButton key={action} {...{ job, className, small, pending, onDelete }} />;
        }
        return (
          <button key={action} type="button" {...shared} disabled={pending} onClick={() => run(action)}>
            <Face action={action} small={small} />
          </button>
        );
      })}
    </>
  );
}
