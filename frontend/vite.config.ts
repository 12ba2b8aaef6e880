import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { compress } from './scripts/compress';
import { speedscope } from './scripts/speedscope';

const api = `http://127.0.0.1:${process.env.PORT ?? '8765'}`;

/** Names for developers' tools are the one thing that keeps parts of React Flow in the pages that nobody uses. */
const nameless: Plugin = {
  name: 'nameless',
  apply: 'build',
  transform: {
    filter: { id: /@xyflow\/react/ },
    handler: (code) => ({ code: code.replace(/^\w+\.displayName = .*;$/gm, ''), map: null }),
  },
};

export default defineConfig({
  plugins: [react(), speedscope(), nameless, compress()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': { target: api, changeOrigin: true } } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: false,
    manifest: true,
    assetsInlineLimit: 0,
    // A library's component wrapped in `memo` is left out where nobody uses it, as one without is.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['memo', 'forwardRef', 'createContext'] },
      // What every page loads comes in few files: each costs a request, and weighs more than what it says.
      output: {
        advancedChunks: {
          groups: [
            { name: 'icons', test: /@tabler\/icons-react/ },
            { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
            {
              name: 'shared',
              test: /src\/(ui|api)\/((job|export|copy-as)\/)?[a-z-]+\.tsx?$/,
              minShareCount: 3,
            },
            { name: 'app', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  // A document takes longer to make than most tests take: those that need one say so in their first line.
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
});
