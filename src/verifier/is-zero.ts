/** What a format reserves, and what is to have been left alone, holds nothing. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false
  return true
}
