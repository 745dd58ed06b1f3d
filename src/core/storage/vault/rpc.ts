import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { VaultView } from '../../../shared/vault-view.ts'
import { confirmed } from '../../app/confirm.ts'
import type { ApiContext } from '../../rpc/context.ts'
import type { Implementer } from '../../rpc/implementer.ts'

/**
 * Implements vaultContract. These need confirmation outside the window first: replacing or removing a
 * passphrase, moving the key out of the keychain, copying all secrets, and replacing the vault with a copy.
 * Throws vault/…, store/unwritable, confirm/….
 */
export function vaultArea(core: ApiContext, os: Implementer['vault']) {
  const { vault } = core
  const view = (): VaultView => ({
    kind: core.savedIn(),
    state: vault.state,
    keychain: vault.keychain,
    asked: vault.mode,
    autoLock: vault.state === 'open' && core.savedIn() !== 'memory' ? core.open().autoLock.settings : null,
  })
  return {
    unlock: os.unlock.handler(async ({ input }) => {
      await vault.unlock(input.passphrase ?? '')
      await core.vaultChanged()
      return core.status()
    }),
    lock: os.lock.handler(async () => ({ wasOpen: await core.lock() })),
    setAutoLock: os.setAutoLock.handler(({ input }) => {
      const { autoLock } = core.open()
      if (core.savedIn() === 'memory') throw new SottoError('vault/cannot-lock')
      autoLock.change(input)
      return view()
    }),
    // Also called while the vault is locked, because a window doesn't know that before it asks.
    use: os.use.handler(() => {
      if (vault.state === 'open') core.open().autoLock.use()
    }),
    protect: os.protect.handler(async ({ input: { passphrase, current }, ...call }) => {
      // An attacker who has the window for a minute must not be able to lock the owner out.
      const holds = vault.kind === 'file' && vault.state === 'open' ? 'file' : undefined
      if (holds && core.savedIn() === 'memory') {
        // The vault has this passphrase already, but the store couldn't be saved then.
        await vault.verify(passphrase)
      } else {
        if (holds) {
          await vault.verify(current ?? '')
          await confirmed(core, msg('Change the vault passphrase?'), call)
        }
        await vault.protect(passphrase, holds)
      }
      await core.vaultChanged()
      return core.status()
    }),
    view: os.view.handler(view),
    examine: os.examine.handler(async () => {
      await vault.examineKeychain()
      return view()
    }),
    moveToFile: os.moveToFile.handler(async ({ input: { passphrase }, ...call }) => {
      core.open()
      await confirmed(
        core,
        msg(
          'Remove Sotto’s key from the system keychain? The passphrase typed in the window will open the vault from then on.',
        ),
        call,
      )
      await vault.moveToFile(passphrase)
      return view()
    }),
    moveToKeychain: os.moveToKeychain.handler(async ({ input: { current }, ...call }) => {
      core.open()
      const holds = vault.kind === 'file' ? 'file' : undefined
      if (holds) {
        await vault.verify(current ?? '')
        await confirmed(
          core,
          msg(
            'Move Sotto’s key to the system keychain? Anyone who can use your account on this computer will then be able to open the vault without a passphrase.',
          ),
          call,
        )
      }
      await vault.moveToKeychain(holds)
      await core.vaultChanged()
      return view()
    }),
    recoveryCopy: os.recoveryCopy.handler(async ({ input: { passphrase }, ...call }) => {
      core.open()
      await confirmed(
        core,
        msg(
          'Save a recovery copy of the vault? It contains every key in the vault, encrypted with the passphrase typed in the window.',
        ),
        call,
      )
      return { name: 'sotto-recovery.json', text: await vault.recoveryCopy(passphrase) }
    }),
    restore: os.restore.handler(async ({ input: { text, passphrase }, ...call }) => {
      await confirmed(
        core,
        msg('Replace the vault, which can’t be opened, with the contents of a recovery copy?'),
        call,
      )
      await vault.restore(text, passphrase)
      await core.vaultChanged()
      return core.status()
    }),
  }
}
