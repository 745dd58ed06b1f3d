import { guessEncodings, isUsual, scoreText, type Guess, WIDE } from './guess-encoding.ts'
import { decodeWideText, guessWideText } from './wide-text.ts'

export interface DecodedText {
  readonly text: string
  /** As `TextDecoder` names it, or `utf-32le` and `utf-32be`. */
  readonly encoding: string
  /** False if another encoding is about as likely: a person should compare them. */
  readonly sure: boolean
  /** Other encodings, the likeliest first. */
  readonly others: readonly string[]
  /** How many lines weren't valid UTF-8 in a UTF-8 text; `legacy` is how they were read. */
  readonly repaired?: { readonly lines: number; readonly legacy: string }
}

/** Of what decides: enough for any statistics. */
const SAMPLE_BYTES = 40_000
/** A guess below this isn't text, unless nearly all of it is ASCII. */
const LEAST_SCORE = 0.35
const SURE_SCORE = 0.55
const SURE_LEAD = 0.15
/** Fewer bytes beyond ASCII than this decide nothing. */
const SURE_BYTES = 4

/**
 * The text of a file, by its byte order mark, else as UTF-8 line by line, else in the likeliest encoding.
 *
 * @param bytes from anywhere
 * @returns null if no encoding makes a text of them that a person would read
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const wide = decodeWideText(bytes)
  if (wide) return readable(wide)
  const content = startsWith(bytes, [0xef, 0xbb, 0xbf]) ? bytes.subarray(3) : bytes
  const escapes = isoTwentyTwentyTwo(content)
  if (escapes) return readable(escapes)
  const text = decodeAs(content, 'utf-8', true)
  const decoded =
    text === null
      ? readable(decodeLines(content))
      : readable({ text, encoding: 'utf-8', sure: true, others: [] })
  return decoded ?? readable(guessWideText(bytes))
}

/**
 * The text in an encoding that a person chose.
 *
 * @param encoding from `DecodedText`
 */
export function decodeChosen(bytes: Uint8Array, encoding: string): string {
  return cleanControls(decodeWideText(bytes, encoding)?.text ?? decodeAs(bytes, encoding, false) ?? '')
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

function decodeAs(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

/** ISO-2022-JP is ASCII with escapes that switch to kanji. */
function isoTwentyTwentyTwo(bytes: Uint8Array): DecodedText | null {
  const switches = (at: number) =>
    bytes[at] === 0x1b && bytes[at + 1] === 0x24 && [0x40, 0x42].includes(bytes[at + 2] ?? 0)
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    if (!switches(at)) continue
    const text = decodeAs(bytes, 'iso-2022-jp', true)
    return text === null ? null : { text, encoding: 'iso-2022-jp', sure: true, others: [] }
  }
  return null
}

/** Lines that aren't valid UTF-8 are read in the encoding that they fit; the others stay as they are. */
function decodeLines(bytes: Uint8Array): DecodedText | null {
  const lines = linesOf(bytes)
  const counts = countSequences(bytes)
  const sample = sampleOf(lines)
  const guesses = guessEncodings(sample)
  const [best] = guesses
  if (!best) return null
  const others = guesses.slice(1).map(({ encoding }) => encoding)
  if (counts.good > 0 && counts.good >= counts.bad) return mixedText(lines, best, others)
  const beyond = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  // A few strange bytes don't make a text of ASCII unreadable.
  if (best.score < LEAST_SCORE && beyond > bytes.length * 0.1) return null
  const sure = isSure(guesses, sample)
  // The few bytes of a word may also be UTF-16.
  const wide = sure || bytes.length % 2 === 1 ? [] : ['utf-16le', 'utf-16be']
  return {
    text: decodeAs(bytes, best.encoding, false) ?? '',
    encoding: best.encoding,
    sure,
    others: ['utf-8', ...others, ...wide],
  }
}

function isSure([best, ...rest]: readonly Guess[], sample: Uint8Array): boolean {
  const next = rest.find(({ encoding }) => isUsual(encoding))
  const beyond = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  return (
    best !== undefined &&
    // As many characters in either case.
    beyond >= (WIDE.has(best.encoding) ? 2 : 1) * SURE_BYTES &&
    best.score >= SURE_SCORE &&
    best.score - (next?.score ?? 0) >= SURE_LEAD
  )
}

function mixedText(lines: readonly Line[], best: Guess, others: readonly string[]): DecodedText {
  let repaired = 0
  let legacy = 'utf-8'
  const text = lines
    .map(({ bytes, valid }) => {
      if (valid) return decodeAs(bytes, 'utf-8', false) ?? ''
      repaired += 1
      // A damaged byte among characters of UTF-8 is only that; a line without any is of another encoding.
      const { good, bad } = countSequences(bytes)
      if (good >= bad) return decodeAs(bytes, 'utf-8', false) ?? ''
      const read = decodeAs(bytes, best.encoding, false) ?? ''
      if (scoreText(read, 1) < 0) return decodeAs(bytes, 'utf-8', false) ?? ''
      legacy = best.encoding
      return read
    })
    .join('')
  return {
    text,
    encoding: 'utf-8',
    sure: true,
    others: [best.encoding, ...others],
    repaired: { lines: repaired, legacy },
  }
}

interface Line {
  readonly bytes: Uint8Array
  readonly valid: boolean
}

/** Each with its end. */
function linesOf(bytes: Uint8Array): readonly Line[] {
  const lines: Line[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start)
    const next = end === -1 ? bytes.length : end + 1
    const line = bytes.subarray(start, next)
    lines.push({ bytes: line, valid: decodeAs(line, 'utf-8', true) !== null })
    start = next
  }
  return lines
}

/** The beginnings of lines that aren't UTF-8: ASCII decides nothing. */
function sampleOf(lines: readonly Line[]): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES)
  let length = 0
  for (const { bytes, valid } of lines) {
    if (valid) continue
    const part = bytes.subarray(0, SAMPLE_BYTES - length)
    sample.set(part, length)
    length += part.length
    if (length === SAMPLE_BYTES) break
  }
  return sample.subarray(0, length)
}

/** Characters of several bytes in UTF-8, and bytes beyond ASCII that belong to none. */
function countSequences(bytes: Uint8Array): { good: number; bad: number } {
  let good = 0
  let bad = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0
    const size =
      byte < 0x80
        ? 1
        : byte >= 0xc2 && byte < 0xe0
          ? 2
          : byte >= 0xe0 && byte < 0xf0
            ? 3
            : byte >= 0xf0 && byte < 0xf5
              ? 4
              : 0
    const whole = size > 1 && bytes.subarray(at + 1, at + size).every((next) => next >> 6 === 2)
    if (whole && at + size <= bytes.length) good += 1
    else if (byte >= 0x80) bad += 1
    at += whole ? size : 1
  }
  return { good, bad }
}

/** Tab, line feed, form feed, carriage return, and what terminals act on: backspace, bell and escape. */
const ALLOWED_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])
/** Marks of an end that old programs wrote, and the like: a few do no harm. */
const MOST_CONTROLS = 0.001

function readable(decoded: DecodedText | null): DecodedText | null {
  if (decoded === null) return null
  const { text } = decoded
  let controls = 0
  let allowed = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0x20) continue
    if (!ALLOWED_CONTROLS.has(code)) controls += 1
    else if (code < 0x09) allowed += 1
  }
  if (controls > Math.max(text.length >= 64 ? 1 : 0, text.length * MOST_CONTROLS)) return null
  if (allowed > 8 && allowed > text.length * 0.05) return null
  return { ...decoded, text: cleanControls(text) }
}

/* eslint-disable no-control-regex -- these characters are removed */
/** Without what only a terminal acts on: colors, titles, bells. A backspace removes the character before it. */
function cleanControls(text: string): string {
  return text
    .replaceAll(/\u001b\[[0-?]{0,64}[ -/]{0,8}[@-~]/g, '')
    .replaceAll(/\u001b\][^\u0007\u001b]{0,1000}(?:\u0007|\u001b\\)/g, '')
    .replaceAll(/[^\n\u0008]\u0008/g, '')
    .replaceAll(/[\u0007\u0008]/g, '')
    .replaceAll(/[\0-\u0006\u000e-\u001a\u001c-\u001f]/g, '\ufffd')
}
