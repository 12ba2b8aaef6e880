// Fails when the built pages outgrow their budget (KiB, gzip). Reads dist/.vite/manifest.json.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url).pathname;
const LIMITS = {
  'first load js': 240,
  css: 45,
  fonts: 110,
  'one chunk': 240,
  'all js': 650,
  workers: 25,
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

/** The files the browser fetches before the first page's own chunk: the entry and its static imports. */
function firstLoad(key, seen = new Set()) {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const next of chunk.imports ?? []) firstLoad(next, seen);
  return seen;
}

const sum = (names) => names.reduce((total, name) => total + (sizes[name] ?? 0), 0);
const byExtension = (extension) => files.filter((name) => extname(name) === extension);
const entryCss = Object.values(manifest).flatMap((chunk) => (chunk.isEntry ? (chunk.css ?? []) : []));
const scripts = byExtension('.js');
const figures = {
  'first load js': sum([...firstLoad('index.html')]),
  css: sum(entryCss),
  fonts: sum(byExtension('.woff2')),
  'one chunk': Math.max(...scripts.map((name) => sizes[name])),
  'all js': sum(scripts),
  workers: sum(scripts.filter((name) => /worker/.test(name))),
  speedscope: viewer.reduce((total, size) => total + size, 0),
};

let failed = false;
for (const [name, limit] of Object.entries(LIMITS)) {
  const over = figures[name] > limit;
  failed ||= over;
  console.log(
    `${over ? 'OVER' : 'ok  '} ${name.padEnd(14)} ${figures[name].toFixed(1).padStart(7)} of ${limit} KiB`,
  );
}
process.exit(failed ? 1 : 0);
