import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import type { ComponentType, ReactNode } from 'react';
import { ApiProblem } from '@/api/problem';

type Icon = ComponentType<{ size?: number | string }>;

/** Says what a thing is when there is none of it yet, with one action. */
export function Empty(props: { icon?: Icon; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="state">
      {props.icon && <props.icon size={28} />}
      <h2>{props.title}</h2>
      {props.children && <p>{props.children}</p>}
      {props.action && <div className="row">{props.action}</div>}
    </div>
  );
}

/** Grey bars in the place of what is loading. */
export function Loading({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="stack tight" style={{ padding: 'var(--s-4)' }} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, i) => `row-${i}`).map((key, i) => (
        <div key={key} className="skeleton" style={{ height: 16, width: `${88 - 11 * (i % 4)}%` }} />
      ))}
    </div>
  );
}

const NOTE_ICONS: Record<string, Icon> = {
  info: IconInfoCircle,
  ok: IconCircleCheck,
  warn: IconAlertTriangle,
  err: IconCircleX,
};

/** One sentence in a tinted bar, with room for an action at its end. */
export function Note(props: {
  tone?: 'info' | 'ok' | 'warn' | 'err';
  children: ReactNode;
  action?: ReactNode;
  role?: 'status' | 'alert';
}) {
  const tone = props.tone ?? 'info';
  const Glyph = NOTE_ICONS[tone] ?? IconInfoCircle;
  return (
    <div className="note" data-tone={tone} role={props.role}>
      <Glyph size={16} />
      <div className="grow">{props.children}</div>
      {props.action}
    </div>
  );
}

/** What failed, the request id to quote, and a way to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = error instanceof ApiProblem ? error : null;
  return (
    <div className="state" role="alert">
      <IconCircleX size={28} />
      <h2>{problem?.title ?? 'This could not be loaded'}</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {problem?.requestId && (
        <p className="caption">
          Request <code>{problem.requestId}</code>
        </p>
      )}
      {retry && (
        <div className="row">
          <button type="button" className="btn" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
