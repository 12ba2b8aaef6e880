import { expect, test } from 'vitest';
import { changedPart, folded, type Row, rowsOf } from './line-diff';

const said = (rows: readonly Row[]) =>
  rows.map(({ before, after, same }) =>
    same ? `=${before?.text}` : `${before?.text ?? ''}>${after?.text ?? ''}`,
  );

test('lines that stay are told from those that go, come or change', () => {
  expect(said(rowsOf('a\nb\nc', 'a\nx\nc'))).toEqual(['=a', 'b>x', '=c']);
  expect(said(rowsOf('a\nb\nc', 'a\nc'))).toEqual(['=a', 'b>', '=c']);
  expect(said(rowsOf('a\nc', 'a\nb\nb\nc'))).toEqual(['=a', '>b', '>b', '=c']);
  expect(
    said(rowsOf('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc')).filter((one) => one[0] === '='),
  ).toHaveLength(4);
  expect(said(rowsOf('same', 'same'))).toEqual(['=same']);
});

test('both texts can be read off the rows, whatever they are', () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  for (let round = 0; round < 300; round++) {
    const [a, b] = [0, 1].map(() => Array.from({ length: random(14) }, () => 'abc'[random(3)]).join('\n'));
    const rows = rowsOf(a ?? '', b ?? '');
    const side = (of: 'before' | 'after') =>
      rows.flatMap((row) => (row[of] ? [row[of].text] : [])).join('\n');
    expect([side('before'), side('after')]).toEqual([a, b]);
    expect(rows.every(({ before, after, same }) => !same || before?.text === after?.text)).toBe(true);
    for (const of of ['before', 'after'] as const)
      expect(rows.flatMap((row) => row[of]?.line ?? [])).toEqual(
        rows.flatMap((row) => (row[of] ? [1] : [])).map((_, i) => i + 1),
      );
  }
});

test('what is far from any difference is folded', () => {
  const long = Array.from({ length: 40 }, (_, i) => `line ${i}`);
  const rows = rowsOf(long.join('\n'), long.with(20, 'other').join('\n'));
  expect(folded(rows).map((one) => ('same' in one ? one.same : one))).toEqual([
    [0, 17],
    true,
    true,
    true,
    false,
    true,
    true,
    true,
    [24, 40],
  ]);
});

test('the part of a line that differs', () => {
  expect(changedPart('"out": 16,', '"out": 99,')).toEqual([7, 1]);
  expect(changedPart('aa', 'aaa')).toEqual([2, 0]);
});
