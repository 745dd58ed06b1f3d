import { renderEnglish, msg, type LocalizedText, type Sentence, type Value } from './message.ts'

/** How values are written in a verdict: lowercase hex, and times to the second in UTC. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** @param time Unix ms */
export function isoTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : `${date.toISOString().slice(0, 19)}Z`
}

/** An expectation or an observation of a check: a sentence, or a string for a value that no language changes. */
export type Text = LocalizedText | string

const MAX_LEGIBLE = 500

/** Most of what is shown: letters, digits and signs that can steer nothing. */
const PLAIN = /^[ -~]*$/

/** Words in a form that a verdict can show. An attacker may have chosen a value: it's shortened, and characters that steer a terminal or a line are replaced. */
export function legible(text: Text): LocalizedText {
  if (typeof text === 'string') return text === '' ? [] : msg('{words}', { words: legibleText(text) })
  // Most words need no change, and a copy of each would cost more than the check.
  return text.every(({ values }) => values === undefined || Object.values<Value>(values).every(isLegible))
    ? text
    : text.map(legibleSentence)
}

function legibleSentence({ english, values }: Sentence): Sentence {
  return {
    english,
    ...(values && {
      values: Object.fromEntries(
        Object.entries(values).map(([place, value]) => [place, legibleValue(value)]),
      ),
    }),
  }
}

function isLegible(value: Value): boolean {
  return typeof value === 'string' ? value.length <= MAX_LEGIBLE && PLAIN.test(value) : !Array.isArray(value)
}

function legibleValue(value: Value): Value {
  if (typeof value === 'string') return legibleText(value)
  return Array.isArray(value) ? legible(value) : value
}

/** Text of an attacker as it can be shown: at most 500 characters, without any that steer a terminal or a line of text. */
export function legibleText(text: string): string {
  const shown = text.length > MAX_LEGIBLE ? `${text.slice(0, MAX_LEGIBLE)}…` : text
  return PLAIN.test(shown) ? shown : shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

/** Several words as one, one after the other. */
export function listed(texts: readonly Text[]): LocalizedText {
  return texts.length === 1 ? legible(texts[0] ?? '') : msg('{words}', { words: texts.flatMap(legible) })
}

/** A certificate's name in the place of another. */
export function otherName(found: string | undefined, expected: string): LocalizedText {
  return found === undefined
    ? msg('no name instead of {expected}', { expected })
    : msg('the name {found} instead of {expected}', { found, expected })
}

/** Evidence, or a part of it, that a check refuses. The message is the observation in English. */
export class EvidenceError extends Error {
  override name = 'EvidenceError'
  readonly observed: Text
  constructor(observed: Text) {
    super(typeof observed === 'string' ? observed : renderEnglish(observed))
    this.observed = observed
  }
}
