import { clock } from '@/ui/format';
import type { SaveState } from './draft-saver';

/** Where the draft is: one short line, read out when it changes. */
export function SaveNote({ state }: { state: SaveState }) {
  return (
    <span className="caption save-note" role="status" data-tone={TONES[state.kind]} data-save={state.kind}>
      {textOf(state)}
    </span>
  );
}

const TONES: Partial<Record<SaveState['kind'], string>> = { offline: 'warn', conflict: 'err', failed: 'err' };

function textOf(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return state.at === null ? 'Draft saved' : `Draft saved ${clock(new Date(state.at).toISOString())}`;
    case 'waiting':
      return 'Unsaved changes';
    case 'saving':
      return 'Saving…';
    case 'offline':
      return 'No answer; kept in this browser, will be sent';
    case 'conflict':
      return 'Changed elsewhere';
    case 'failed':
      return `Not saved: ${state.message}`;
  }
}
