/**
 * Characters that a person can't see but a model reads: controls except tab and line breaks, soft hyphens, tags
 * (U+E0000…), bidirectional controls, zero width characters, variation selectors, fillers, and private use.
 */
const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/gu

/** Ends with a character that is neither invisible nor white space. */
const VISIBLE_END = /[^\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]$/u

/** Joiners and the emoji selector are part of ordinary text in Persian, Hindi and emoji. */
const ORDINARY = new Set(['\u{200C}', '\u{200D}', '\u{FE0F}'])

/** Removes every invisible character, also joiners: for names and descriptions, which a server writes. */
export function withoutInvisible(text: string): string {
  return text.toWellFormed().replaceAll(INVISIBLE, '')
}

/**
 * Removes invisible characters from a result, except joiners between visible characters. Instructions that only
 * the model would read can't be in it then.
 */
export function readableResult(text: string): string {
  return text.toWellFormed().replaceAll(INVISIBLE, (found, at: number, whole: string) => {
    if (!ORDINARY.has(found)) return ''
    // A run of joiners could encode a text.
    return VISIBLE_END.test(whole.slice(Math.max(0, at - 2), at)) ? found : ''
  })
}

/** Replaces each invisible character by its code, so that a person sees arguments word for word. */
export function showInvisible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(INVISIBLE, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`)
}
