import { expect, test } from 'vitest';
import { numberIn, shownNumber, typed } from './number-text';

test('a number is read as it was meant', () => {
  const read = [
    ['1,000', 'integer', 1000],
    ['1,0005', 'integer', 10005],
    ['-3', 'integer', -3],
    ['1,000', 'number', 1000],
    ['0,5', 'number', 0.5],
    ['1e-4', 'number', 0.0001],
    ['1,234.5', 'number', 1234.5],
    [' ', 'number', null],
    ['-', 'number', undefined],
    ['1e', 'number', undefined],
    ['1.2.3', 'number', undefined],
  ] as const;
  for (const [text, kind, value] of read) expect([text, numberIn(text, kind)]).toEqual([text, value]);
});

test('what is read is shown again', () => {
  for (const value of [0, 7, -12, 1000, 1234567])
    expect(numberIn(shownNumber(value, 'integer'), 'integer')).toBe(value);
  for (const value of [0.5, 5e-4, 1e-7, 1234.5, -2])
    expect(numberIn(shownNumber(value, 'number'), 'number')).toBe(value);
});

test('letters are not taken', () => {
  expect(typed('12a.5', 'integer')).toBe('125');
  expect(typed('1.5e-3 s', 'number')).toBe('1.5e-3');
});
