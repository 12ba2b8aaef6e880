/** What the page offers as buttons, so that all of it can be found by name without being written down again. */
export interface PageAction {
  readonly title: string;
  readonly press: () => void;
}

const BUTTONS = 'button:not(:disabled), a.btn, summary, [role="tab"], .tabs a';
/** Parts of a drawing or a list are chosen there, not by name. */
const NOT_ALONE = '.react-flow, [role="listbox"], [role="menu"], [data-commands="no"], .cm-editor';
const MOST = 80;

export function pageActions(known: ReadonlySet<string>): PageAction[] {
  const found = new Map<string, PageAction>();
  for (const button of document.querySelectorAll<HTMLElement>(`#main :is(${BUTTONS})`)) {
    const title = nameOf(button);
    if (title === '' || known.has(title.toLowerCase()) || found.has(title)) continue;
    if (button.closest(NOT_ALONE) || !isSeen(button)) continue;
    found.set(title, { title, press: () => press(button) });
    if (found.size >= MOST) break;
  }
  return [...found.values()];
}

function nameOf(element: HTMLElement): string {
  const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isSeen(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

function press(button: HTMLElement): void {
  button.focus();
  button.click();
}
