import { parseStrictJson, type JsonValue } from '../../../../shared/strict-json.ts'

/** RFC 8259 section 6, starting at `lastIndex`. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/**
 * Parses strict JSON with every number as its text, digit for digit. An amount is never rounded to a double,
 * and 0.1 and "0.1" have the same result.
 * @throws {StrictJsonError} if the text isn't strict JSON
 */
export function parseExactJson(text: string): JsonValue {
  // Validates the original text. The text with quoted numbers is then valid JSON.
  parseStrictJson(text)
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- JSON.parse makes exactly these values
  const value: JsonValue = JSON.parse(quoteNumbers(text))
  return value
}

function quoteNumbers(text: string): string {
  let quoted = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = closingQuote(text, at + 1)
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at
      NUMBER.test(text)
      quoted += `${text.slice(from, at)}"${text.slice(at, NUMBER.lastIndex)}"`
      from = NUMBER.lastIndex
      at = from - 1
    }
  }
  return quoted + text.slice(from)
}

/**
 * Returns the position of the closing quote, which has an even number of backslashes before it. The text is
 * valid JSON, so there is one.
 */
function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
}
