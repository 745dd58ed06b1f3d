const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** Bytes beyond ASCII that a text in a Latin alphabet has at most, of all. */
const MOST_BEYOND_ASCII = 0.3

/**
 * The text of a file: by its byte order mark, else UTF-8, else Windows-1252, which Latin-1 is a part of. Null where it is none of them
 * that a person would read. Bytes come from anywhere; never throws.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return readable(decoded(bytes, marked[0]))
  const text = decoded(bytes, 'utf-8')
  if (text !== null) return readable(text)
  const beyond = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  // Its table leaves five places empty: a byte there is not of it.
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

/** Tab, line feed, form feed, carriage return and escape stand in texts; no other control character does. */
const ALLOWED_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
/** The mark of an end that old programs wrote, and the like: a few do no harm. */
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
