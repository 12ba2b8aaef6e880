/** As a `ref` of the chosen one in a row that may be wider than a phone. Only the row is scrolled, never the page. */
export function intoView(chosen: HTMLElement | null): void {
  const row = chosen?.parentElement;
  if (!chosen || !row) return;
  const middle = (row.clientWidth - chosen.offsetWidth) / 2;
  row.scrollLeft = chosen.offsetLeft - row.offsetLeft - middle;
}
