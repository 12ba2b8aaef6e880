// Copies speedscope's own build beside ours, so that a profile opens in it without any other machine.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

// Examples, a reader of Java recordings and the schema are not needed to show our profiles.
const LEFT_OUT = /\.(txt|wasm)$|schema\.json$/;

/** A Vite plugin: after the build, `dist/vendor/speedscope` holds the viewer and its licences. */
export function speedscope(): Plugin {
  return {
    name: 'speedscope',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const root = dirname(createRequire(import.meta.url).resolve('speedscope/package.json'));
      const release = join(root, 'dist/release');
      const target = join(dir, 'vendor/speedscope');
      mkdirSync(target, { recursive: true });
      for (const name of readdirSync(release))
        if (!LEFT_OUT.test(name)) copyFileSync(join(release, name), join(target, name));
      copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
    },
  };
}
