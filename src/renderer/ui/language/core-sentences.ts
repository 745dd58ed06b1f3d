import { i18n } from '@lingui/core'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'

/**
 * A sentence of the core in the window's language. The core says its sentences in English, and a catalogue holds them by that
 * (build/core-sentences.ts); what is not in it, since something was put into the sentence, stays as the core wrote it.
 */
export function fromCore(english: string): string {
  return Object.hasOwn(i18n.messages, english) ? i18n._(english) : english
}

/** What happened and what to do; the code, and what the core put beside it, stay as they are. */
export function translatedFailure(failure: Failure): Failure {
  return { ...failure, says: fromCore(failure.says), remedy: fromCore(failure.remedy) }
}
