import { i18n } from '@lingui/core'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { inLanguage, type LocalizedText } from '../../../shared/localized-text.ts'
import { formatLocale, useLanguage } from './language.ts'

/**
 * A text of the core in the window's language. Catalogs have it under its English text (build/core-sentences.ts). A
 * text that they lack stays English.
 */
export function spoken(text: LocalizedText): string {
  return inLanguage(text, useLanguage.getState().tag === 'en' ? 'en' : formatLocale(), (english, values) =>
    Object.hasOwn(i18n.messages, english) ? i18n._(english, { ...values }) : undefined,
  )
}

/** Translates a sentence without values. */
export function fromCore(english: string): string {
  return spoken([{ english }])
}

/** Translates the description, the remedy and the detail of a failure. */
export function translatedFailure({
  detail,
  ...failure
}: Failure): Omit<Failure, 'detail'> & { readonly detail?: string } {
  return {
    ...failure,
    says: fromCore(failure.says),
    remedy: fromCore(failure.remedy),
    ...(detail && detail.length > 0 && { detail: spoken(detail) }),
  }
}
