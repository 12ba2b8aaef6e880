// Packs what is built once and as small as it goes, so that no request waits for a compressor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg|json|html)$/;
// Smaller ones fit into the first packet as they are.
const LEAST_BYTES = 1024;

/** A Vite plugin: beside each file of text in `dist` lie `.br` and `.gz`; `backend/packed.py` serves them. */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    closeBundle() {
      const names = readdirSync('dist', { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((one) => TEXT.test(one))) pack(join('dist', name));
    },
  };
}

function pack(path: string): void {
  const content = readFileSync(path);
  if (content.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
