import { describe, expect, it } from 'vitest';
import { age, bytes, count, duration, number, percent, seconds, sentence, si } from './format';

describe('formatters', () => {
  it('write numbers with four digits and no surprise exponents', () => {
    expect([0.45214, 12.3456, 1234.5, 0, 1.5e-7, 2e9].map((v) => number(v))).toEqual([
      '0.4521',
      '12.35',
      '1,235',
      '0',
      '1.5e-7',
      '2.0e+9',
    ]);
  });

  it('say what cannot be shown', () => {
    expect([
      number(Number.NaN),
      number(Number.POSITIVE_INFINITY),
      number(null),
      count(undefined),
      percent(null),
    ]).toEqual(['NaN', '∞', '–', '–', '–']);
  });

  it('group whole numbers as the browser does', () => {
    const oracle = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
    const powers = Array.from({ length: 16 }, (_, i) => 10 ** i);
    for (const value of [0, -4, 2.5, 1e21, ...powers, ...powers.map((v) => v - 1), -12345])
      expect(count(value)).toBe(oracle.format(value));
  });

  it('pick the unit of a time', () => {
    expect([1.5, 0.0582, 3.1e-5, 4e-9, 0].map(seconds)).toEqual(['1.5 s', '58.2 ms', '31 µs', '4 ns', '0 s']);
  });

  it('write waiting times in words', () => {
    expect([3.25, 42, 75, 120, 3700].map(duration)).toEqual([
      '3.3 s',
      '42 s',
      '1 min 15 s',
      '2 min',
      '1 h 2 min',
    ]);
  });

  it('count bytes in powers of 1024', () => {
    expect([0, 1023, 1536, 222_298_112].map(bytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '212 MiB']);
  });

  it('tell ages against a given now', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    const at = (s: number) => new Date(now - s * 1000).toISOString();
    expect([1, 37, 240, 7200, 200_000].map((s) => age(at(s), now))).toEqual([
      'now',
      '37 s',
      '4 min',
      '2 h',
      '2 d',
    ]);
  });

  it('shorten axis labels and unfold names', () => {
    expect([si(15_000), si(0.25), si(2_500_000), sentence('val_loss')]).toEqual([
      '15k',
      '0.25',
      '2.5M',
      'Val loss',
    ]);
  });
});
