import type { DecodedText } from './decode-text.ts'
import { weightOf } from './character-weights.ts'

interface WideForm {
  readonly encoding: 'utf-32le' | 'utf-32be' | 'utf-16le' | 'utf-16be'
  readonly mark: readonly number[]
}

/** The longer mark begins with the shorter one. */
const FORMS: readonly WideForm[] = [
  { encoding: 'utf-32le', mark: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', mark: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]
/** Of what decides if there is no mark. */
const SAMPLE_BYTES = 4_096
/** The mean weight of a character: a text of another encoding has less if it is read by pairs of bytes. */
const LEAST_SCORE = 0.7
const LEAST_BYTES = 8

/**
 * UTF-16 or UTF-32, by the byte order mark or by what the text looks like without one.
 *
 * @param chosen the encoding that a person chose, which needs no proof
 * @returns null if it is neither
 */
export function decodeWideText(bytes: Uint8Array, chosen?: string): DecodedText | null {
  const form =
    chosen === undefined
      ? (FORMS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte)) ?? guessForm(bytes))
      : FORMS.find(({ encoding }) => encoding === chosen)
  if (!form) return null
  const { encoding } = form
  const others = FORMS.map((other) => other.encoding).filter((other) => other !== encoding)
  return {
    text: decodeForm(bytes, encoding).replace(/^\ufeff/, ''),
    encoding,
    sure: true,
    others: ['utf-8', ...others],
  }
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

function guessForm(bytes: Uint8Array): WideForm | undefined {
  if (bytes.length < LEAST_BYTES) return undefined
  const sample = bytes.subarray(0, Math.min(bytes.length - (bytes.length % 4), SAMPLE_BYTES))
  // Bytes that are valid as UTF-8 without a null byte are no UTF-16, whatever their pairs look like.
  if (!sample.includes(0) && isUtf8(bytes.subarray(0, SAMPLE_BYTES))) return undefined
  return FORMS.map((form) => ({ form, score: scoreWide(decodeForm(sample, form.encoding)) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .toSorted((a, b) => b.score - a.score)[0]?.form
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
