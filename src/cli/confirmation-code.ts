import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * No two look alike: it lacks 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B, and of 6 and G, U and V the
 * first and the last.
 */
const ALPHABET = '3479ACDEFGHJKMNPQRTUWXY'
const LENGTH = 8

/** Shown once. Afterwards only its hash is stored. */
export interface ConfirmationCode {
  /** XXXX-XXXX. */
  readonly shown: string
  /**
   * Whether the typed text is this code, in any case and with spaces or hyphens anywhere. The time it takes
   * does not depend on the code.
   */
  matches(typed: string): boolean
}

export function createConfirmationCode(): ConfirmationCode {
  const code = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  const expected = hash(code)
  return {
    shown: `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`,
    matches: (typed) => timingSafeEqual(hash(typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')), expected),
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
