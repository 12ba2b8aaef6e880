/** The last copied layers, kept by the browser for the buttons: pages may not read the clipboard, above all over plain HTTP. */
const KEPT = 'asterism.copied';

export function keepCopy(text: string): void {
  try {
    localStorage.setItem(KEPT, text);
  } catch {
    // A copy too large to keep can still be pasted by key.
  }
}

export function keptCopy(): string | null {
  return localStorage.getItem(KEPT);
}
