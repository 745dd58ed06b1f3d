import { i18n } from '@lingui/core'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { inLanguage, type LocalizedText } from '../../../shared/localized-text.ts'
import { formatLocale, useLanguage } from './language.ts'

/** What the core says, in the window's language. Catalogues hold it by its English (build/core-sentences.ts); what they do not hold stays English. */
export function spoken(said: LocalizedText): string {
  return inLanguage(said, useLanguage.getState().tag === 'en' ? 'en' : formatLocale(), (english, values) =>
    Object.hasOwn(i18n.messages, english) ? i18n._(english, { ...values }) : undefined,
  )
}

/** A sentence that nothing is put into. */
export function fromCore(english: string): string {
  return spoken([{ english }])
}

/** What happened and what to do, and what the core says beside it. */
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
