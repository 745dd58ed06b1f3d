import { resolve } from 'node:path'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import type { PluginOption } from 'vite'
import { compiledEnglish } from './compiled-english.ts'

/** What makes the window's source a page: the macros of sentences, catalogues as modules, JSX. The same for what ships and for the tests. */
export function windowPlugins(root: string): PluginOption[] {
  return [
    {
      name: 'sotto:language-runtime',
      // What the macros expand to imports this name (lingui.config.ts).
      config: () => ({ resolve: { alias: { '#language-runtime': resolve(root, 'src/renderer/ui/language/runtime.tsx') } } }),
    },
    lingui({ cwd: root, failOnCompileError: true, macroTransform: { parser: undefined, macro: { descriptorFields: 'message' } } }),
    compiledEnglish(),
    react(),
  ]
}
