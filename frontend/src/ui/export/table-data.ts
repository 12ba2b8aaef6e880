/** A table as it is exported: numbers keep every digit they have. */
export interface TableData {
  head: readonly string[];
  rows: readonly (readonly (string | number | null | undefined)[])[];
}

/** Cells say their exact value in `data-value` where their text is rounded; what is not said is not exported. */
function textOf(cell: Element): string {
  if (cell instanceof HTMLElement && cell.dataset.value !== undefined) return cell.dataset.value;
  return (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Columns of buttons and boxes are no data: their head says `data-export="no"`. */
function dataColumns(head: readonly Element[]): boolean[] {
  return head.map((cell) => !(cell instanceof HTMLElement && cell.dataset.export === 'no'));
}

/** The table an element holds, as it stands there. */
export function readTable(inside: Element): TableData {
  const table = inside.querySelector('table');
  if (!table) return { head: [], rows: [] };
  const head = [...table.querySelectorAll('thead th')];
  const kept = dataColumns(head);
  const cellsOf = (row: Element) => [...row.children].filter((_, i) => kept[i] !== false).map(textOf);
  return {
    head: head.filter((_, i) => kept[i]).map(textOf),
    rows: [...table.querySelectorAll('tbody tr')].map(cellsOf),
  };
}
