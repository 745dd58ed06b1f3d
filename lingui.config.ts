import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { coreSentences } from './build/core-sentences.ts'
import { languageTags } from './src/shared/window-preferences.ts'

/** Sentences are written in English in the code. docs/decisions/0007 describes how they are translated. */
export default defineConfig({
  sourceLocale: 'en',
  locales: [...languageTags],
  catalogs: [
    { path: '<rootDir>/src/renderer/languages/{locale}', include: ['src/renderer'] },
    // Messages of the core, which the window and the desktop's own process show.
    {
      path: '<rootDir>/src/shared/languages/{locale}',
      include: ['src/shared', 'src/core', 'src/verifier', 'src/host', 'src/sandbox/routes'],
    },
    // Texts of tray, menus, native dialogs and notifications: few, and read before there is a window.
    { path: '<rootDir>/src/main/languages/{locale}', include: ['src/main'] },
  ],
  // Without line numbers, so that moved code doesn't change a catalog.
  extractors: [coreSentences(createSwcExtractor())],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  runtimeConfigModule: { i18n: ['#language-runtime', 'i18n'], Trans: ['#language-runtime', 'Trans'] },
})
