import { z } from 'zod'
import { autoLockSchema } from '../lock-schema.ts'
import { statusSchema } from '../status.ts'
import { vaultViewSchema } from '../vault-view.ts'
import { call } from './call.ts'

const passphrase = z.string().min(1).max(1024)
const newPassphrase = z.string().min(8).max(1024)
/** In characters. A vault has 16 MiB at most, and a copy of it is base64. */
const MAX_RECOVERY_COPY = 24 * 1024 * 1024

export const vaultContract = {
  /**
   * Locks the vault, and responds once its keys are erased. Needs no confirmation: locking is always safe.
   * Throws vault/cannot-lock.
   */
  lock: call.output(z.object({ wasOpen: z.boolean() })),
  /** When Sotto locks without being asked. Throws vault/locked, vault/cannot-lock, store/unwritable. */
  setAutoLock: call.input(autoLockSchema).output(vaultViewSchema),
  /** A person used the window, which postpones the automatic lock. */
  use: call.output(z.void()),
  /** The keychain takes no passphrase: it is asked again. */
  unlock: call.input(z.object({ passphrase: passphrase.optional() })).output(statusSchema),
  /**
   * First passphrase of a file vault, once there is something worth keeping; or another one in place of `current`, which asks for
   * confirmation outside the window. Throws vault/wrong-passphrase, confirm/….
   */
  protect: call
    .input(z.object({ passphrase: newPassphrase, current: passphrase.optional() }))
    .output(statusSchema),
  view: call.output(vaultViewSchema),
  /** Asks the keychain now: its user may see a prompt. */
  examine: call.output(vaultViewSchema),
  /**
   * Moves the secrets from the keychain to a file under this passphrase. Requires confirmation outside the
   * window. Throws vault/unavailable.
   */
  moveToFile: call.input(z.object({ passphrase: newPassphrase })).output(vaultViewSchema),
  /**
   * Moves the secrets to the keychain, from memory or from a file, whose passphrase is `current`. Requires
   * confirmation outside the window if a passphrase protected them. Throws vault/wrong-passphrase,
   * vault/keychain-unusable, vault/unavailable.
   */
  moveToKeychain: call.input(z.object({ current: passphrase.optional() })).output(vaultViewSchema),
  /** Every secret in one text that this passphrase opens. Asks for confirmation outside the window. */
  recoveryCopy: call
    .input(z.object({ passphrase: newPassphrase }))
    .output(z.object({ name: z.string(), text: z.string() })),
  /**
   * Replaces a vault that isn't open with the content of a recovery copy. Requires confirmation outside the
   * window. Throws vault/recovery-invalid, vault/recovery-passphrase, vault/unavailable.
   */
  restore: call.input(z.object({ text: z.string().max(MAX_RECOVERY_COPY), passphrase })).output(statusSchema),
}
