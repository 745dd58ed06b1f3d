/*
 * The service chooses the name of a model, so it can contain anything. In a shell, a program or a settings file it must
 * stay a name: no character of it ends the quote, runs, expands or hides.
 */

/** Controls, bidirectional marks and separators, and the brace that begins `{env:…}` and `${{ … }}` in some tools' files. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}{]/gu
const UNSAFE_IN_SHELL = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/** A string of JSON (RFC 8259, section 7), which is also a string of JavaScript. */
export function jsonString(text: string): string {
  return quoted(text, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${hex(char.charCodeAt(at), 4)}`).join(''),
  )
}

/** A string of TOML 1.0 (basic), YAML 1.2 (double-quoted) and Python. Beyond the first plane, these escape the whole code point. */
export function codePointString(text: string): string {
  return quoted(text, escapedCodePoint)
}

/** One word of a POSIX shell: literal between single quotes (2.2.2), and with `$'…'` (2.2.4) for characters that a terminal hides. */
export function shellWord(text: string): string {
  // No shell allows NUL in a word.
  const whole = text.toWellFormed().replaceAll('\0', '')
  if (!UNSAFE_IN_SHELL.test(whole)) return `'${whole.replaceAll("'", `'\\''`)}'`
  return `$'${whole.replaceAll(/[\\']/g, '\\$&').replaceAll(new RegExp(UNSAFE_IN_SHELL, 'gu'), escapedCodePoint)}'`
}

/** Data as indented JSON in which every string is written by `jsonString`. */
export function jsonText(value: JsonValue, indent = ''): string {
  if (typeof value === 'string') return jsonString(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const inner = `${indent}  `
  if (isList(value) && value.length === 0) return '[]'
  if (isList(value)) return `[\n${value.map((item) => inner + jsonText(item, inner)).join(',\n')}\n${indent}]`
  return `{\n${Object.entries(value)
    .map(([name, item]) => `${inner}${jsonString(name)}: ${jsonText(item, inner)}`)
    .join(',\n')}\n${indent}}`
}

export type JsonValue =
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function quoted(text: string, escape: (char: string) => string): string {
  return `"${text.toWellFormed().replaceAll(/["\\]/g, '\\$&').replaceAll(HIDDEN, escape)}"`
}

function escapedCodePoint(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
