import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname

/**
 * The adapter of the conformance suite, built for a fast start. Only this adapter accepts injected roots and
 * an injected clock, so it is never packaged.
 */
export default defineConfig({
  root: here,
  logLevel: 'warn',
  build: {
    ssr: join(here, 'adapter.ts'),
    outDir: join(here, '../../out/conformance'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      external: [/^node:/, ...builtinModules],
      output: { entryFileNames: 'adapter.js', chunkFileNames: 'stages/[name].js' },
    },
  },
  ssr: { noExternal: true },
})
