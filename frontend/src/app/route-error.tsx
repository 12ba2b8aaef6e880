import IconMapOff from '@tabler/icons-react/icons/IconMapOff';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Empty, ErrorState } from '@/ui/states';

const STALE = /dynamically imported module|module script failed|error loading dynamically|preload CSS/i;

/** A page's code is gone from the server because a newer version was installed while this tab was open. */
function isStaleChunk(error: unknown): boolean {
  return error instanceof Error && STALE.test(error.message);
}

/** Stands in for one page that failed; the shell around it goes on working. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  if (!isStaleChunk(error)) return <ErrorState error={error} retry={reset} />;
  const reload = (
    <button type="button" className="btn primary" onClick={() => location.reload()}>
      Reload to update
    </button>
  );
  return (
    <Empty icon={IconRefresh} title="Asterism was updated" action={reload}>
      This tab still runs the earlier version. Drafts are kept.
    </Empty>
  );
}

export function NotFound() {
  const home = (
    <Link className="btn" to="/">
      Go to Home
    </Link>
  );
  return (
    <Empty icon={IconMapOff} title="There is no page at this address" action={home}>
      The link may be old, or what it pointed to was deleted.
    </Empty>
  );
}
