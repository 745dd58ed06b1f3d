import { z } from 'zod'

/** A name is looked at up to here, whatever its length: of an imported file's, that can be the whole file. */
const MAX_READ = 4000

/**
 * Characters that no name needs and that an attacker can misuse: controls, the marks that change the
 * direction of text (U+200E, U+200F, U+061C, U+202A–E, U+2066–9), other format characters that have no
 * width (U+00AD, U+200B, U+2060–F, U+FEFF, U+180E, U+FFF9–B, tags), blank fillers that are letters by
 * category, unpaired surrogates, private use and unassigned code points. The zero-width joiners are handled
 * separately.
 */
const UNSEEN =
  /(?![\u200c\u200d])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|\u180f)/gu

/** A variation selector chooses between the forms of an emoji or a keycap; elsewhere it only makes equal names differ. */
const LONE_SELECTOR =
  /(?<![\p{Emoji}\p{Extended_Pictographic}])\ufe0f|(?<!\p{Extended_Pictographic})\ufe0e|[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/gu

/** Joiners shape scripts (Persian, Indic) between letters and marks, and join emoji; elsewhere they are unseen. */
const LONE_JOINER =
  /(?<![\p{L}\p{M}])\u200c|\u200c(?![\p{L}\p{M}])|(?<![\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}\ufe0f])\u200d|\u200d(?![\p{L}\p{M}\p{Extended_Pictographic}])/gu
/** Scripts that use joiners. Between letters of any other they are unseen. */
const JOINING_SCRIPT =
  /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Syriac}\p{Script_Extensions=Mongolian}\p{Script_Extensions=Devanagari}\p{Script_Extensions=Bengali}\p{Script_Extensions=Gurmukhi}\p{Script_Extensions=Gujarati}\p{Script_Extensions=Oriya}\p{Script_Extensions=Tamil}\p{Script_Extensions=Telugu}\p{Script_Extensions=Kannada}\p{Script_Extensions=Malayalam}\p{Script_Extensions=Sinhala}\p{Script_Extensions=Khmer}]/u

/**
 * Converts a name that an attacker may have chosen to one line. Nothing in it is invisible or changes the
 * direction of the text around it. Idempotent.
 *
 * @returns the name in NFC, trimmed; empty if no visible character is left
 * @see Unicode Standard Annex 9, and Unicode Technical Report 36 section 2.7
 */
export function cleanDisplayName(text: string): string {
  let name = text
    .slice(0, MAX_READ)
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .normalize('NFC')
  // Removing characters may leave a lone selector or joiner.
  for (let before = ''; before !== name;) {
    before = name
    name = name.replaceAll(LONE_SELECTOR, '').replaceAll(LONE_JOINER, '')
    name = name.replaceAll(/([\p{L}\p{M}])[\u200c\u200d]/gu, (pair, letter: string) =>
      letter === '\ufe0f' || JOINING_SCRIPT.test(letter) ? pair : letter,
    )
    name = name.replaceAll(/ {2,}/g, ' ').normalize('NFC')
  }
  return name.trim()
}

/** The name of a file as one line without folders and without characters that reverse or hide text. The extension remains. */
export function cleanFileName(name: string): string {
  const plain = cleanDisplayName(name.replaceAll(/[\\/]/g, '_'))
  if (plain.length <= 200) return plain === '' ? 'File' : plain
  const ending = /\.[^.]{1,12}$/.exec(plain)?.[0] ?? ''
  return `${plain.slice(0, 200 - ending.length).replace(/[\uD800-\uDBFF]$/, '')}${ending}`
}

/** Cuts a name without parting a character. @param most in UTF-16 units */
export function clipDisplayName(name: string, most: number): string {
  return name.length <= most
    ? name
    : name
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd()
}

/**
 * The schema of an external name: it's cleaned, and then its length is checked.
 *
 * @param most in UTF-16 units
 */
export function displayName(most: number): z.ZodString {
  return z.string().overwrite(cleanDisplayName).min(1).max(most)
}
