import { z } from 'zod'
import { autoLockSchema } from './lock-schema.ts'
import { vaultKinds, vaultStates } from './status.ts'

/**
 * `locked`: it exists, and the user hasn't unlocked it. `absent`: no keychain answers. `refused`: it
 * answers, but doesn't let Sotto store anything.
 */
const keychainFindings = ['working', 'locked', 'absent', 'refused'] as const

/** The storage of the data folder's secrets, and the alternatives. */
export const vaultViewSchema = z.object({
  kind: z.enum(vaultKinds),
  state: z.enum(vaultStates),
  /** The state when it was last examined; null if it wasn't. */
  keychain: z.enum(keychainFindings).nullable(),
  /** Which kind was asked for when Sotto was started. With `auto` it can be changed. */
  asked: z.enum(['auto', 'keychain', 'file', 'memory']),
  /** Null while the vault isn't open, and if nothing is saved, which can't be locked. */
  autoLock: autoLockSchema.nullable(),
})
export type VaultView = z.infer<typeof vaultViewSchema>
