/** How values are written in a verdict: lowercase hex, and times to the second in UTC. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** @param time Unix ms */
export function isoTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'no time' : `${date.toISOString().slice(0, 19)}Z`
}

const MAX_LEGIBLE = 500

/** Most of what is shown: letters, digits and signs that can steer nothing. */
const PLAIN = /^[ -~]*$/

/** Text that may be an attacker's, as it may stand in a verdict: no longer than needed, and without characters that steer a terminal or a line of text. */
export function legible(text: string): string {
  const shown = text.length > MAX_LEGIBLE ? `${text.slice(0, MAX_LEGIBLE)}…` : text
  return PLAIN.test(shown) ? shown : shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
