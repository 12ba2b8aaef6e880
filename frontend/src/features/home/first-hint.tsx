import IconX from '@tabler/icons-react/icons/IconX';
import { useState } from 'react';
import { Note } from '@/ui/states';

const KEY = 'asterism.hint.first-run';

function dismissed(): boolean {
  try {
    return localStorage.getItem(KEY) === 'dismissed';
  } catch {
    return false;
  }
}

/** One sentence for newcomers; once put away it stays away. */
export function FirstHint() {
  const [hidden, setHidden] = useState(dismissed);
  if (hidden) return null;
  const dismiss = () => {
    setHidden(true);
    try {
      localStorage.setItem(KEY, 'dismissed');
    } catch {
      // Without storage the hint comes back with the next visit.
    }
  };
  const close = (
    <button
      type="button"
      className="btn ghost small icon-only"
      aria-label="Dismiss the hint"
      onClick={dismiss}
    >
      <IconX size={14} />
    </button>
  );
  return (
    <Note action={close}>
      <b>First time here?</b> Press <b>Train now</b> on a template. The form comes filled in; after the run,{' '}
      <b>Profile</b> shows where the time went.
    </Note>
  );
}
