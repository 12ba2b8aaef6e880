import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchange, LOOKS, lookOf, placesOf } from './run-looks';

type Vector = [number, number, number];

// Machado, Oliveira and Fernandes 2009, deuteranopia of full severity, on linear RGB.
const DEUTERANOPIA: readonly Vector[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
const TO_XYZ: readonly Vector[] = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];
const WHITE: Vector = [0.95047, 1, 1.08883];
const PLAIN = 12;

const times = (matrix: readonly Vector[], v: Vector) =>
  matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Vector;

function linear(hex: string): Vector {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function lab(rgb: Vector): Vector {
  const root = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = times(TO_XYZ, rgb).map((value, i) => root(value / WHITE[i]!)) as Vector;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The series colours of both themes, as the tokens have them. */
function themes(): Record<string, string>[] {
  const css = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8');
  return css.split('[data-theme="dark"] {').map((part) => {
    const found = [...part.matchAll(/(--c[1-8]): (#[0-9a-f]{6})/g)];
    return Object.fromEntries(found.map(([, name, value]) => [name!, value!]));
  });
}

function seen(hex: string): Vector {
  const [r, g, b] = times(DEUTERANOPIA, linear(hex)).map((v) => Math.min(1, Math.max(0, v))) as Vector;
  return lab([r, g, b]);
}

const far = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const dashOf = (place: number) => JSON.stringify(lookOf(place).dash ?? []);

describe('D12: looks of runs', () => {
  it('are never the same twice, for more than a hundred runs', () => {
    const looks = Array.from({ length: LOOKS }, (_, place) => JSON.stringify(lookOf(place)));
    expect(LOOKS).toBeGreaterThanOrEqual(100);
    expect(new Set(looks).size).toBe(LOOKS);
  });

  it('are told apart with deuteranopia, by what is left of the colour or by the dashes', () => {
    for (const colors of themes()) {
      expect(Object.keys(colors)).toHaveLength(8);
      const one: string[] = [];
      for (let a = 0; a < 32; a++)
        for (let b = 0; b < a; b++) {
          const near = far(seen(colors[lookOf(a).color]!), seen(colors[lookOf(b).color]!)) < PLAIN;
          if (near && dashOf(a) === dashOf(b)) one.push(`${a} and ${b}`);
        }
      expect(one).toEqual([]);
    }
  });

  it('would not be without the dashes, so the check can fail', () => {
    const [light] = themes();
    expect(far(seen(light!['--c2']!), seen(light!['--c4']!))).toBeLessThan(PLAIN);
  });

  it('stay with their runs when others come and go', () => {
    const known: Record<string, number> = { a: 0, b: 1, c: 2 };
    expect(placesOf(['a', 'c', 'd'], (run) => known[run])).toEqual([0, 2, 1]);
    expect(placesOf(['x', 'y'], () => undefined)).toEqual([0, 1]);
  });

  it('are not shared even where an address says so', () => {
    expect(placesOf(['a', 'b', 'c'], () => 4)).toEqual([4, 0, 1]);
    expect(placesOf(['a', 'b'], () => 1e9)).toEqual([0, 1]);
  });

  it('can be given away: the run that had it gets the old one', () => {
    expect(exchange([0, 1, 2], 0, 2)).toEqual([2, 1, 0]);
    expect(exchange([0, 1, 2], 0, 9)).toEqual([9, 1, 2]);
  });
});
