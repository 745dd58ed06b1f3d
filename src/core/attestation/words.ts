import { inEnglish, say, type Said, type Value } from '../../shared/say.ts'

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
export type Words = Said | string

const MAX_LEGIBLE = 500

/** Most of what is shown: letters, digits and signs that can steer nothing. */
const PLAIN = /^[ -~]*$/

/** Words as they may stand in a verdict. A value may be an attacker's: it is no longer than needed, and has no characters that steer a terminal or a line of text. */
export function legible(words: Words): Said {
  if (typeof words === 'string') return words === '' ? [] : say('{words}', { words: legibleText(words) })
  return words.map(({ english, values }) => ({ english, ...(values && { values: Object.fromEntries(Object.entries(values).map(([place, value]) => [place, legibleValue(value)])) }) }))
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
export function listed(words: readonly Words[]): Said {
  return words.length === 1 ? legible(words[0] ?? '') : say('{words}', { words: words.flatMap(legible) })
}

/** A certificate's name in the place of another. */
export function otherName(found: string | undefined, expected: string): Said {
  return found === undefined ? say('no name instead of {expected}', { expected }) : say('the name {found} instead of {expected}', { found, expected })
}

/** Evidence, or a part of it, that a check refuses. The message is the observation in English. */
export class EvidenceError extends Error {
  override name = 'EvidenceError'
  readonly observed: Words
  constructor(observed: Words) {
    super(typeof observed === 'string' ? observed : inEnglish(observed))
    this.observed = observed
  }
}
