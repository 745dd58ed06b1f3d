import type { DecodedText } from './decode-text.ts'
import { weightOf } from './character-weights.ts'

interface WideForm {
  readonly encoding: 'utf-32le' | 'utf-32be' | 'utf-16le' | 'utf-16be'
  readonly mark: readonly number[]
  /** Bytes of a character, or of each half of a rare one. */
  readonly width: 2 | 4
}

/** The longer mark begins with the shorter one. */
const FORMS: readonly WideForm[] = [
  { encoding: 'utf-32le', mark: [0xff, 0xfe, 0, 0], width: 4 },
  { encoding: 'utf-32be', mark: [0, 0, 0xfe, 0xff], width: 4 },
  { encoding: 'utf-16le', mark: [0xff, 0xfe], width: 2 },
  { encoding: 'utf-16be', mark: [0xfe, 0xff], width: 2 },
]
/** Of what decides if there is no mark. */
const SAMPLE_BYTES = 4_096
/** The mean weight of a character: a text of another encoding has less if it is read by pairs of bytes. */
const LEAST_SCORE = 0.7
const LEAST_BYTES = 8
/** Fewer bytes are one letter, which decides nothing. */
const LEAST_GUESS_BYTES = 4
/** Fewer characters without ASCII are a guess. */
const SURE_CHARACTERS = 6

/**
 * UTF-16 or UTF-32, by the byte order mark or by what the text looks like without one.
 *
 * @param chosen the encoding that a person chose, which needs no proof
 * @returns null if it is neither
 */
export function decodeWideText(bytes: Uint8Array, chosen?: string): DecodedText | null {
  if (chosen !== undefined) {
    const form = FORMS.find(({ encoding }) => encoding === chosen)
    return form ? decodedAs(bytes, form, true) : null
  }
  const marked = FORMS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return decodedAs(bytes, marked, true)
  if (bytes.length < LEAST_BYTES) return null
  // Bytes that are valid as UTF-8 without a null byte are no UTF-16, whatever their pairs look like.
  if (!sampleOf(bytes).includes(0) && isUtf8(bytes.subarray(0, SAMPLE_BYTES))) return null
  return guessWideText(bytes)
}

/**
 * UTF-16 or UTF-32 without a byte order mark, for bytes that are no text in any other encoding. Text in Cyrillic or Chinese can be valid
 * UTF-8 of control characters.
 *
 * @returns null if neither makes a text of them
 */
export function guessWideText(bytes: Uint8Array): DecodedText | null {
  if (bytes.length < LEAST_GUESS_BYTES) return null
  // A long text may have been cut within a character.
  const isWhole = (width: number) => bytes.length >= LEAST_BYTES || bytes.length % width === 0
  const form = FORMS.filter(({ width }) => isWhole(width))
    .map((each) => ({ ...each, score: scoreWide(decodeForm(sampleOf(bytes, each.width), each.encoding)) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .toSorted((a, b) => b.score - a.score)[0]
  if (!form) return null
  const isLong = bytes.length >= SURE_CHARACTERS * form.width
  return decodedAs(bytes, form, isLong || sampleOf(bytes).includes(0))
}

function decodedAs(bytes: Uint8Array, { encoding }: WideForm, sure: boolean): DecodedText {
  const others = FORMS.map((other) => other.encoding).filter((other) => other !== encoding)
  return {
    text: decodeForm(bytes, encoding).replace(/^\ufeff/, ''),
    encoding,
    sure,
    others: ['utf-8', ...others],
  }
}

/** The beginning, without a part of a character. */
function sampleOf(bytes: Uint8Array, width = 1): Uint8Array {
  return bytes.subarray(0, Math.min(bytes.length - (bytes.length % width), SAMPLE_BYTES))
}

function decodeForm(bytes: Uint8Array, encoding: WideForm['encoding']): string {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding).decode(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, encoding === 'utf-32le')
    parts.push(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code))
  }
  return parts.join('')
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** ASCII counts here: a pair of bytes seldom becomes it. */
function scoreWide(text: string): number {
  const characters = Array.from(text)
  let sum = 0
  for (const [at, character] of characters.entries()) {
    if (character >= '\x80') sum += weightOf(character, characters[at - 1] ?? '', characters[at + 1] ?? '')
    else sum += /[\t\n\r -~]/.test(character) ? 1 : -6
  }
  return characters.length === 0 ? 0 : sum / characters.length
}
