/** How values are written in a verdict: lowercase hex, and times to the second in UTC. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** @param time Unix ms */
export function isoTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'no time' : `${date.toISOString().slice(0, 19)}Z`
}
