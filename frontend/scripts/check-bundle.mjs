// Fails when the built pages outgrow their budget (KiB, gzip). Reads dist/.vite/manifest.json. `--json` prints figures alone.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url).pathname;
const LIMITS = {
  'first load js': 240,
  css: 45,
  fonts: 110,
  'editor route': 90,
  'code pane': 155,
  'job route': 60,
  workers: 25,
  'one chunk': 240,
  'all js': 650,
  speedscope: 210,
};

const files = readdirSync(join(DIST, 'assets')).map((name) => join('assets', name));
const sizes = Object.fromEntries(
  files
    .filter((name) => ['.js', '.css', '.woff2'].includes(extname(name)))
    .map((name) => [name, sizeOf(name)]),
);

/** What a browser loads to open a profile in speedscope; it is none of our pages' scripts. */
const viewer = readdirSync(join(DIST, 'vendor/speedscope'))
  .filter((name) => ['.js', '.css', '.woff2'].includes(extname(name)))
  .map((name) => sizeOf(join('vendor/speedscope', name)));

function sizeOf(name) {
  const path = join(DIST, name);
  return (extname(name) === '.woff2' ? statSync(path).size : gzipSync(readFileSync(path)).length) / 1024;
}

const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));

/** The files the browser fetches with an entry of the manifest: its own and those it imports statically. */
function closure(key, seen = new Set()) {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const next of chunk.imports ?? []) closure(next, seen);
  return seen;
}

/** What a lazily loaded entry adds to what is there already. */
function onTop(there, ...keys) {
  const all = new Set(there);
  for (const key of keys) for (const file of closure(key)) all.add(file);
  return [...all].filter((file) => !there.has(file));
}

function keyOf(source) {
  const found = Object.keys(manifest).find((key) => key.endsWith(source));
  if (!found) throw new Error(`the manifest has no ${source}: name the entry of that route anew`);
  return found;
}

const sum = (names) => names.reduce((total, name) => total + (sizes[name] ?? 0), 0);
const byExtension = (extension) => files.filter((name) => extname(name) === extension);
const scripts = byExtension('.js');
const first = closure('index.html');
const firstCss = Object.values(manifest).flatMap((chunk) => (first.has(chunk.file) ? (chunk.css ?? []) : []));
const editor = closure(keyOf('features/models/editor-page.tsx'), new Set(first));
const figures = {
  'first load js': sum([...first]),
  css: sum([...new Set(firstCss)]),
  fonts: sum(byExtension('.woff2')),
  'editor route': sum(onTop(first, keyOf('features/models/editor-page.tsx'))),
  'code pane': sum(onTop(editor, keyOf('features/models/program-editor.tsx'))),
  'job route': sum(onTop(first, keyOf('features/jobs/job-page.tsx'))),
  workers: sum(scripts.filter((name) => /worker/.test(name))),
  'one chunk': Math.max(...scripts.map((name) => sizes[name])),
  'all js': sum(scripts),
  speedscope: viewer.reduce((total, size) => total + size, 0),
};

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(figures));
} else {
  let failed = false;
  for (const [name, limit] of Object.entries(LIMITS)) {
    const over = figures[name] > limit;
    failed ||= over;
    console.log(
      `${over ? 'OVER' : 'ok  '} ${name.padEnd(14)} ${figures[name].toFixed(1).padStart(7)} of ${limit} KiB`,
    );
  }
  process.exit(failed ? 1 : 0);
}
