import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

const sources = filesUnder(SRC).filter((path) => /\.tsx?$/.test(path) && !path.endsWith('schema.gen.ts'));

/** What a file imports from src, as paths below it. */
function importsOf(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, name]) => {
    if (name!.startsWith('@/')) return [name!.slice(2)];
    return name!.startsWith('.') ? [relative(SRC, join(dirname(path), name!))] : [];
  });
}

/** The part of src a path belongs to: `ui`, `features/jobs`, `systems/seastar`. */
function zoneOf(path: string): string {
  const [first, second] = path.split('/');
  return first === 'features' || first === 'systems' ? `${first}/${second}` : first!;
}

/** What each zone may reach besides itself. The folders of features and systems are read, not listed. */
function mayReach(zone: string): string[] {
  if (zone === 'app') return ['ui', 'api', 'canvas', 'features', 'systems'];
  if (zone.startsWith('features/') || zone.startsWith('systems/')) return ['ui', 'api', 'canvas'];
  return ['ui', 'api', 'canvas'];
}

describe('the front end', () => {
  it('imports one way: ui, api and canvas, then features and systems, then app', () => {
    const wrong = sources.flatMap((path) => {
      const from = zoneOf(relative(SRC, path));
      const allowed = mayReach(from);
      return importsOf(path)
        .filter(
          (name) =>
            zoneOf(name) !== from && !allowed.some((zone) => name === zone || name.startsWith(`${zone}/`)),
        )
        .map((name) => `${relative(SRC, path)} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has no barrel files', () => {
    expect(sources.filter((path) => /\/index\.tsx?$/.test(path))).toEqual([]);
  });

  it('keeps the pure model of the canvas free of React', () => {
    const model = sources.filter((path) => relative(SRC, path).startsWith('canvas/model/'));
    expect(
      model.filter((path) => /from '(react|@xyflow\/react|@mantine)/.test(readFileSync(path, 'utf8'))),
    ).toEqual([]);
  });

  it('takes colours from the tokens alone', () => {
    const sheets = filesUnder(SRC).filter((path) => path.endsWith('.css') && !path.endsWith('tokens.css'));
    const wrong = sheets.filter((path) => /#[0-9a-f]{3,8}\b|rgba?\(/i.test(readFileSync(path, 'utf8')));
    expect(wrong.map((path) => relative(SRC, path))).toEqual([]);
  });

  it('pins every package exactly, and packages that belong together to one version', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const all: Record<string, string> = { ...dependencies, ...devDependencies };
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const mantine = Object.entries(all).filter(([name]) => name.startsWith('@mantine/'));
    expect(new Set(mantine.map(([, version]) => version)).size).toBe(1);
  });

  it('has one page for each folder of a system, named after its kind', () => {
    for (const kind of readdirSync(join(SRC, 'systems'))) {
      expect(readFileSync(join(SRC, 'systems', kind, 'page.tsx'), 'utf8')).toContain('export const page');
    }
  });
});
