/** What can be done on a page: by name in the palette, by keys, and listed in the sheet of keys. One table for all three. */

export interface Command {
  /** What it does, as its button would say: "Auto-layout". */
  readonly title: string;
  /** Where the sheet lists it. */
  readonly group: string;
  /** Such as `mod z` (Ctrl, or Cmd on a Mac), `shift arrowup`, `/`. */
  readonly keys?: readonly string[];
  /** How it is done without a key: "Shift drag". */
  readonly gesture?: string;
  /** Absent where the part that has the focus does it by itself; then it is listed only. */
  readonly run?: (event?: KeyboardEvent) => void;
  /** False where it would do nothing now. */
  readonly enabled?: () => boolean;
  /** Among the few that are told beside an empty selection. */
  readonly basic?: boolean;
}

/** The name of what is pressed. Signs are named by what they write: where `/` needs Shift, it is `/` all the same. */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): string {
  const key = event.key.toLowerCase();
  const sign = key.length === 1 && key.toUpperCase() === key && !/\d/.test(key);
  return [
    event.ctrlKey || event.metaKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    event.shiftKey && !sign ? 'shift' : '',
    key === ' ' ? 'space' : key,
  ]
    .filter(Boolean)
    .join(' ');
}

const WORDS: Readonly<Record<string, string>> = {
  shift: 'Shift',
  alt: 'Alt',
  escape: 'Esc',
  enter: 'Enter',
  delete: 'Delete',
  backspace: 'Backspace',
  space: 'Space',
  tab: 'Tab',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
};

/** `mod shift z` as a person reads it: Ctrl Shift Z. */
export function keyText(name: string): string {
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return name
    .split(' ')
    .map((part) => (part === 'mod' ? (mac ? '⌘' : 'Ctrl') : (WORDS[part] ?? part.toUpperCase())))
    .join(' ');
}

/** Every way to do it, for people. */
export function waysOf(command: Command): readonly string[] {
  return [...(command.keys ?? []).map(keyText), ...(command.gesture ? [command.gesture] : [])];
}

/** Is a person writing in a field? Then keys and the clipboard are the field's. */
export function isTyping(event: Event): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** The command that a key press is for. The part of the page that came last has the first word. */
export function commandFor(
  event: KeyboardEvent,
  lists: readonly (readonly Command[])[],
): Command | undefined {
  const name = keyName(event);
  for (const list of lists.toReversed()) {
    const found = list.find((one) => one.run && one.keys?.includes(name) && one.enabled?.() !== false);
    if (found) return found;
  }
  return undefined;
}
