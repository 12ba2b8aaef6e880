import { notifications } from '@mantine/notifications';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
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
        return (
          <button
            key={action}
            type="button"
            className={`btn${size}${look.danger ? ' danger' : ''}`}
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
