import { i18n, type Messages } from '@lingui/core'
import { app } from 'electron'
import { matchLanguage } from '../shared/match-language.ts'
import { MIRRORED, type LanguageChoice, type LanguageTag } from '../shared/window-preferences.ts'

// What the macros of this process' sentences expand to (electron.vite.config.ts). English is in the code.
i18n.load('en', {})
i18n.activate('en')

const catalogues: Readonly<Record<Exclude<LanguageTag, 'en'> | typeof MIRRORED, () => Promise<{ readonly messages: Messages }>>> = {
  'de': () => import('./languages/de.po'),
  'es': () => import('./languages/es.po'),
  'fr': () => import('./languages/fr.po'),
  'ja': () => import('./languages/ja.po'),
  'pt-BR': () => import('./languages/pt-BR.po'),
  'zh-Hans': () => import('./languages/zh-Hans.po'),
  [MIRRORED]: () => import('./languages/ar-XB.po'),
}

/** Turns tray, menus, dialogs and notifications to the language of the window. A catalogue that cannot be read leaves them as they are. */
export async function speak(choice: LanguageChoice): Promise<void> {
  const tag = choice === 'system' ? matchLanguage(app.getPreferredSystemLanguages()) : choice
  const messages = tag === 'en' ? {} : await catalogues[tag]().then((catalogue) => catalogue.messages, () => undefined)
  if (messages) i18n.loadAndActivate({ locale: tag, messages })
}

export { i18n }
