import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { coreSentences } from './build/core-sentences.ts'
import { languageTags } from './src/shared/window-preferences.ts'

/** Sentences stand in English in the code; docs/decisions/0007 says how they become other languages. */
export default defineConfig({
  sourceLocale: 'en',
  locales: [...languageTags],
  catalogs: [
    { path: '<rootDir>/src/renderer/languages/{locale}', include: ['src/renderer'] },
    // What the core says: shown by the window and by the desktop's own process.
    {
      path: '<rootDir>/src/shared/languages/{locale}',
      include: ['src/shared', 'src/core', 'src/verifier', 'src/host', 'src/sandbox/routes'],
    },
    // Of tray, menus, native dialogs and notifications: few, and read before a window is there.
    { path: '<rootDir>/src/main/languages/{locale}', include: ['src/main'] },
  ],
  // Without line numbers, so that moving code changes no catalogue.
  extractors: [coreSentences(createSwcExtractor())],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  runtimeConfigModule: { i18n: ['#language-runtime', 'i18n'], Trans: ['#language-runtime', 'Trans'] },
})
