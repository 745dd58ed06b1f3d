import { i18n, type Messages } from '@lingui/core'
import { app } from 'electron'
import { matchLanguage } from '../shared/match-language.ts'
import { inLanguage, type LocalizedText } from '../shared/localized-text.ts'
import type { LanguageChoice, LanguageTag } from '../shared/window-preferences.ts'

// The runtime for the macros of this process' sentences (electron.vite.config.ts). English is in the code.
i18n.load('en', {})
i18n.activate('en')

const catalogues: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<Messages>>> = {
  de: () => both(import('./languages/de.po'), import('../shared/languages/de.po')),
  es: () => both(import('./languages/es.po'), import('../shared/languages/es.po')),
  fr: () => both(import('./languages/fr.po'), import('../shared/languages/fr.po')),
  he: () => both(import('./languages/he.po'), import('../shared/languages/he.po')),
  ja: () => both(import('./languages/ja.po'), import('../shared/languages/ja.po')),
  ko: () => both(import('./languages/ko.po'), import('../shared/languages/ko.po')),
  'pt-BR': () => both(import('./languages/pt-BR.po'), import('../shared/languages/pt-BR.po')),
  'zh-Hans': () => both(import('./languages/zh-Hans.po'), import('../shared/languages/zh-Hans.po')),
  'zh-Hant': () => both(import('./languages/zh-Hant.po'), import('../shared/languages/zh-Hant.po')),
}

/**
 * Changes tray, menus, dialogs and notifications to the language of the window. If the catalog can't be
 * read, they don't change.
 */
export async function speak(choice: LanguageChoice): Promise<void> {
  const tag = choice === 'system' ? matchLanguage(app.getPreferredSystemLanguages()) : choice
  const messages = tag === 'en' ? {} : await catalogues[tag]().catch(() => undefined)
  if (messages) i18n.loadAndActivate({ locale: tag, messages })
}

const BACKSLASH = '\\'
const PLACEHOLDER = '\u{F8FF}\u{E0B5}\u{F8FF}'

/**
 * Renders a message of the core in that language, or in English if the catalog doesn't have it. Lingui
 * reads \u0041 in a finished sentence as a character. An attacker may control a value, so its backslashes
 * are replaced during that step.
 */
export function spoken(message: LocalizedText): string {
  return inLanguage(message, i18n.locale, (english, values) => {
    if (!Object.hasOwn(i18n.messages, english)) return undefined
    const guarded = Object.fromEntries(
      Object.entries(values).map(([place, value]) => [
        place,
        typeof value === 'string' ? value.replaceAll(BACKSLASH, PLACEHOLDER) : value,
      ]),
    )
    return i18n._(english, guarded).replaceAll(PLACEHOLDER, BACKSLASH)
  })
}

type Catalogue = Promise<{ readonly messages: Messages }>

async function both(...parts: readonly [Catalogue, Catalogue]): Promise<Messages> {
  const [main, core] = await Promise.all(parts)
  return { ...core.messages, ...main.messages }
}

/** @public Lingui's macros import this from `#language-runtime` (lingui.config.ts). */
export { i18n }
