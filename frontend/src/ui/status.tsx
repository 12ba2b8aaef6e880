import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconBan from '@tabler/icons-react/icons/IconBan';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconClock from '@tabler/icons-react/icons/IconClock';
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import type { ComponentType } from 'react';

interface Look {
  word: string;
  tone: 'idle' | 'run' | 'ok' | 'err' | 'warn';
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
}

const LOOKS: Record<string, Look> = {
  queued: { word: 'Queued', tone: 'idle', icon: IconClock },
  starting: { word: 'Starting', tone: 'run', icon: IconClock },
  running: { word: 'Running', tone: 'run', icon: IconPlayerPlay },
  cancelling: { word: 'Cancelling', tone: 'warn', icon: IconBan },
  succeeded: { word: 'Succeeded', tone: 'ok', icon: IconCircleCheck },
  failed: { word: 'Failed', tone: 'err', icon: IconCircleX },
  cancelled: { word: 'Cancelled', tone: 'idle', icon: IconBan },
  lost: { word: 'Lost', tone: 'warn', icon: IconAlertTriangle },
  online: { word: 'Online', tone: 'ok', icon: IconCircleCheck },
  stopped: { word: 'Stopped', tone: 'idle', icon: IconBan },
  ok: { word: 'All up', tone: 'ok', icon: IconCircleCheck },
  degraded: { word: 'Degraded', tone: 'warn', icon: IconAlertTriangle },
  down: { word: 'Down', tone: 'err', icon: IconCircleX },
  ready: { word: 'Ready', tone: 'ok', icon: IconCircleCheck },
};

/** A state as icon, word and colour. A state this page does not know is shown by its own word. */
export function Status(props: { state: string; pill?: boolean; iconOnly?: boolean }) {
  const { state, pill = false, iconOnly = false } = props;
  const look = LOOKS[state] ?? { word: state, tone: 'idle', icon: IconHelpCircle };
  return (
    <span
      className={pill ? 'status pill' : 'status'}
      data-tone={look.tone}
      title={iconOnly ? look.word : undefined}
    >
      <look.icon size={15} stroke={1.75} />
      <span className={iconOnly ? 'visually-hidden' : undefined}>{look.word}</span>
    </span>
  );
}
