/// <reference types="vitest/config" />
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

// The pages of this server. Django finds the files by `.vite/manifest.json` (django-vite) and collects
// the rest of `dist/static`; see config/settings.py and docs/page.md.
export default defineConfig({
  root: 'frontend',
  base: '/static/',
  publicDir: false,
  build: {
    outDir: 'dist/static',
    emptyOutDir: true,
    assetsDir: 'build',
    manifest: true,
    license: { fileName: 'build/third-party-licenses.md' },
    // A data: URL would count for every visitor; and fonts have to come from 'self' by the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600, // kB: xterm.js is part of the workspace
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What several pages share is one file: a request costs more than a few kB.
      output: {
        codeSplitting: { groups: [{ name: 'core', test: /\/frontend\/core\/.*\.ts$/, minShareCount: 2 }] },
      },
      input: [
        'core/base.css',
        'pages/connect.css',
        'pages/connect.ts',
        'pages/offline.ts',
        'pages/player.ts',
        'pages/service-worker.ts',
        'pages/sign-in.css',
        'pages/sign-in.ts',
        'pages/workspace.ts',
        'recordings/player.css',
      ].map((name) => resolve(import.meta.dirname, 'frontend', name)),
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // Without it, stylesheets would ask Django for their fonts.
    origin: 'http://127.0.0.1:5173',
    // The overlay writes HTML, which Trusted Types forbid; errors are in the terminal and the console.
    hmr: { overlay: false },
  },
  test: {
    root: '.',
    include: ['frontend/**/*.test.{js,ts}'],
    // Elements are tested with `// @vitest-environment happy-dom` in the first line of a test file.
    environment: 'node',
    restoreMocks: true,
    unstubGlobals: true,
  },
})
