import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { create } from 'zustand'
import { matchLanguage, parsedLocale } from '../../../shared/match-language.ts'
import type { LanguageChoice, LanguageTag } from '../../../shared/window-preferences.ts'
import { setPreferences, usePreferences } from '../preferences.ts'

/**
 * The window's and the core's catalogs, loaded when the language is chosen. English needs none, because it is in the
 * code.
 */
const catalogues: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<Messages>>> = {
  de: () => both(import('../../languages/de.po'), import('../../../shared/languages/de.po')),
  es: () => both(import('../../languages/es.po'), import('../../../shared/languages/es.po')),
  fr: () => both(import('../../languages/fr.po'), import('../../../shared/languages/fr.po')),
  he: () => both(import('../../languages/he.po'), import('../../../shared/languages/he.po')),
  ja: () => both(import('../../languages/ja.po'), import('../../../shared/languages/ja.po')),
  ko: () => both(import('../../languages/ko.po'), import('../../../shared/languages/ko.po')),
  'pt-BR': () => both(import('../../languages/pt-BR.po'), import('../../../shared/languages/pt-BR.po')),
  'zh-Hans': () => both(import('../../languages/zh-Hans.po'), import('../../../shared/languages/zh-Hans.po')),
  'zh-Hant': () => both(import('../../languages/zh-Hant.po'), import('../../../shared/languages/zh-Hant.po')),
}

type Catalogue = Promise<{ readonly messages: Messages }>

async function both(...parts: readonly [Catalogue, Catalogue]): Promise<Messages> {
  const [uiMessages, core] = await Promise.all(parts)
  return { ...core.messages, ...uiMessages.messages }
}

const ownNames: Readonly<Record<LanguageTag, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  he: 'עברית',
  ja: '日本語',
  ko: '한국어',
  'pt-BR': 'Português (Brasil)',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
}

/** The name of each language in that language. */
export function languageName(tag: LanguageTag): string {
  return ownNames[tag]
}

/** The language of the window. A change renders every component that reads it again; the whole window reads it. */
export const useLanguage = create<{ readonly tag: LanguageTag }>()(() => ({ tag: 'en' }))

/** The language with the system's region, if the system uses the language. Numbers and dates are formatted by it. */
export function formatLocale(): string {
  const { tag } = useLanguage.getState()
  const { language, script } = new Intl.Locale(tag).maximize()
  const match = systemLanguages().find((wanted) => {
    const locale = parsedLocale(wanted)
    return locale?.language === language && locale.script === script
  })
  return match ?? tag
}

function systemLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm'])

export function directionOf(tag: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
}

/**
 * Text whose order its neighbors can't change, such as a number with its unit, in a window that is written from right to
 * left. Unchanged in other windows.
 *
 * @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function isolate(text: string): string {
  return directionOf(useLanguage.getState().tag) === 'rtl' ? `\u2068${text}\u2069` : text
}

/** Saves the choice, and applies it to the window. */
export async function chooseLanguage(language: LanguageChoice): Promise<void> {
  setPreferences({ language })
  await applyLanguage()
}

/** Applies the chosen language to the window. If a catalog can't be loaded, the language doesn't change. */
export async function applyLanguage(): Promise<void> {
  const { language } = usePreferences.getState()
  const tag = language === 'system' ? matchLanguage(systemLanguages()) : language
  const messages = tag === 'en' ? {} : await catalogues[tag]().catch(() => undefined)
  // Another was chosen in the meantime.
  if (messages === undefined || usePreferences.getState().language !== language) return
  i18n.loadAndActivate({ locale: tag, messages })
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
  useLanguage.setState({ tag })
}
