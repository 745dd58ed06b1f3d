import { verify } from 'node:crypto'
import type { TrustedLog } from './trusted-root.ts'

/** Whether the log signed these bytes. An unreadable signature counts as invalid. */
export function isLogSignature({ key, hash }: TrustedLog, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(hash, bytes, key, signature)
  } catch {
    return false
  }
}
