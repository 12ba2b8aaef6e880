// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { csv, fileName } from '@/ui/download';
import { readTable } from './table-data';

function parse(text: string): string[][] {
  return text.split('\r\n').map((line) => line.split(','));
}

describe('D15: what is exported', () => {
  it('is the table as it is drawn, with exact numbers to 1e-9 and without columns of buttons', () => {
    const values = [0.1 + 0.2, 1 / 3, 123456789.125, 1e-300];
    const card = document.createElement('section');
    card.innerHTML = `<table>
      <thead><tr><th data-export="no">Tick</th><th>Name</th><th>Time, ms</th></tr></thead>
      <tbody>${values.map((v) => `<tr><td>x</td><td>a  b</td><td data-value="${v}">${v.toFixed(2)}</td></tr>`).join('')}</tbody>
    </table>`;
    const { head, rows } = readTable(card);
    expect(head).toEqual(['Name', 'Time, ms']);
    const read = parse(csv(['n', 't'], rows)).slice(1);
    expect(read.map(([name]) => name)).toEqual(['a b', 'a b', 'a b', 'a b']);
    values.forEach((value, i) => {
      expect(Math.abs(Number(read[i]![1]) - value)).toBeLessThanOrEqual(1e-9 * Math.abs(value));
    });
  });

  it('quotes what would break a row, and is called by its title', () => {
    expect(csv(['a,b'], [['say "no"'], ['two\nlines'], [null]])).toBe(
      '"a,b"\r\n"say ""no"""\r\n"two\nlines"\r\n',
    );
    expect(fileName('Loss of GCN · run 12!')).toBe('loss-of-gcn-run-12');
  });
});
