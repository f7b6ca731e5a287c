import { defineConfig } from 'vite'

// /tmux-adapter-web/: the terminal element for pages of other sites, under names that never change
// (config/pages/component.py). Their addresses are documented, so they contain no hash.
export default defineConfig({
  root: 'frontend',
  base: './',
  publicDir: false,
  build: {
    outDir: 'dist/component',
    emptyOutDir: true,
    license: { fileName: 'third-party-licenses.md' },
    modulePreload: false,
    rolldownOptions: {
      input: {
        index: 'frontend/component/index.ts',
        protocol: 'frontend/component/protocol.ts',
        'tmux-adapter-web': 'frontend/component/tmux-adapter-web.ts',
        // The element contains it; the file is for pages that use xterm.js themselves.
        xterm: '@xterm/xterm/css/xterm.css',
      },
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunk-[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
})
