import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function vaultArea(core: ApiContext, os: Implementer['vault']) {
  return {
    unlock: os.unlock.handler(async ({ input }) => {
      await core.vault.unlock(input.passphrase)
      return core.status()
    }),
    protect: os.protect.handler(async ({ input, signal }) => {
      // Whoever holds the window for a minute must not be able to lock its owner out.
      const { vault } = await core.status()
      if (vault.kind === 'file' && vault.state === 'open') await confirmed(core, 'Change the passphrase of the vault.', signal)
      await core.vault.protect(input.passphrase)
      return core.status()
    }),
  }
}
