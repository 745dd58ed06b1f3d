const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** The largest share of non-ASCII bytes in a text in a Latin alphabet. */
const MOST_BEYOND_ASCII = 0.3

/**
 * Decodes the text of a file by its byte order mark, otherwise as UTF-8, otherwise as Windows-1252, which
 * includes Latin-1. Returns null if no encoding yields readable text. An attacker controls the bytes. Never
 * throws.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return readable(decoded(bytes, marked[0]))
  const text = decoded(bytes, 'utf-8')
  if (text !== null) return readable(text)
  const beyond = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  // Five bytes aren't assigned in Windows-1252, so a text with one of them has another encoding.
  if (
    beyond > bytes.length * MOST_BEYOND_ASCII ||
    bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))
  )
    return null
  return readable(decoded(bytes, 'windows-1252'))
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Texts may contain tab, line feed, form feed, carriage return and escape, but no other control character.
 */
const ALLOWED_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
/** A few exceptions are tolerated, such as the end-of-file mark of old programs. */
const MOST_CONTROLS = 0.001

function readable(text: string | null): string | null {
  if (text === null || text.includes('\0')) return null
  let controls = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 && !ALLOWED_CONTROLS.has(code)) controls += 1
  }
  return controls <= text.length * MOST_CONTROLS ? text : null
}
