import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function accountsArea(core: ApiContext, os: Implementer['accounts']) {
  /** The vault may hold the only copy of an account's key: with it goes what was paid in. Play money needs no asking. */
  async function mayGiveUpAccount(says: string, givenUp: AbortSignal | undefined): Promise<void> {
    const { account, service } = await core.status()
    if (account.connected && service.kind === 'service') await confirmed(core, `${says}. Its key is gone with it, unless you have a copy.`, givenUp)
  }

  return {
    connect: os.connect.handler(async ({ input: { apiKey, creditId }, signal }) => {
      await mayGiveUpAccount('Replace the connected account by another', signal)
      await core.account.connect({ apiKey, ...(creditId !== undefined && { creditId }) })
      return core.status()
    }),
    create: os.create.handler(async ({ signal }) => {
      await mayGiveUpAccount('Replace the connected account by a new one', signal)
      await core.account.create()
      return core.status()
    }),
    disconnect: os.disconnect.handler(async ({ signal }) => {
      await mayGiveUpAccount('Forget the connected account', signal)
      await core.account.disconnect()
      return core.status()
    }),
    balance: os.balance.handler(async () => ({ picoUsd: (await core.account.balance()).toString() })),
  }
}
