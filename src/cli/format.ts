/** Formats Unix ms to the minute, in UTC: "2026-11-25 20:57 UTC". Output for scripts sorts by it. */
export function formatMinute(unixMs: number): string {
  return `${iso(unixMs).slice(0, 16)} UTC`
}

/** Formats Unix ms to the second, in UTC: "2026-11-25 20:57:03 UTC". */
export function formatSecond(unixMs: number): string {
  return `${iso(unixMs).slice(0, 19)} UTC`
}

/** Formats Unix ms as a date, in UTC: "2026-11-25". */
export function formatDate(unixMs: number): string {
  return iso(unixMs).slice(0, 10)
}

function iso(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('T', ' ')
}

/**
 * Formats a count with its noun: "1 request", "1,200 requests". The command line is English only.
 * @param one the noun for 1
 * @param other the noun for every other count
 */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : other}`
}

/** Control characters, marks that reorder the text around them, and invisible tags. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Makes text of the service or of a file safe to print. Unsafe text could move the cursor, change the
 * window's title, or be displayed in another order.
 *
 * @returns the text without control characters other than line breaks and tabs, and without marks that
 * reorder letters
 */
export function terminalSafe(text: string): string {
  return text.replaceAll(UNSAFE, (control) => (control === '\n' || control === '\t' ? control : ''))
}

/** Makes one line of text. Names from the service or from a file may contain line breaks. */
export function oneLine(text: string): string {
  return terminalSafe(text).replaceAll(/\s/gu, ' ')
}

/** Prints to standard output. Settles when the reader has room for more. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  )
}

/**
 * Reads all of standard input as text.
 *
 * @param limit the greatest length in characters, and the error for a longer text
 */
export async function readAll(limit?: {
  readonly most: number
  readonly tooLong: () => Error
}): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (limit && text.length > limit.most) throw limit.tooLong()
  }
  return text
}
