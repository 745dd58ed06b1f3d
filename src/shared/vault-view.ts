import { z } from 'zod'
import { autoLockSchema } from './lock-schema.ts'
import { vaultKinds, vaultStates } from './status.ts'

/** `locked`: it is there, and its user has not opened it. `absent`: nothing answers. `refused`: it answers, and keeps nothing for Sotto. */
const keychainFindings = ['working', 'locked', 'absent', 'refused'] as const

/** What holds the secrets of the data folder, and what else could. */
export const vaultViewSchema = z.object({
  kind: z.enum(vaultKinds),
  state: z.enum(vaultStates),
  /** As it was when it was last asked; null where it never was. */
  keychain: z.enum(keychainFindings).nullable(),
  /** Which kind was asked for when Sotto was started. With `auto` it can be changed. */
  asked: z.enum(['auto', 'keychain', 'file', 'memory']),
  /** Null while the vault is not open, and where nothing is saved, which can't be locked. */
  autoLock: autoLockSchema.nullable(),
})
export type VaultView = z.infer<typeof vaultViewSchema>
