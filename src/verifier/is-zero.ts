/** Whether all bytes are zero, as reserved and unused fields must be. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false
  return true
}
