import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { speedscope } from './scripts/speedscope';

const api = `http://127.0.0.1:${process.env.PORT ?? '8765'}`;

export default defineConfig({
  plugins: [react(), speedscope()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': { target: api, changeOrigin: true } } },
  worker: { format: 'es' },
  build: { target: 'es2022', sourcemap: false, manifest: true, assetsInlineLimit: 0 },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
  },
});
