import { implement } from '@orpc/server'
import { contract } from '../../shared/contract/sotto-contract.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { sendChat } from './chat.ts'
import type { ApiContext } from './context.ts'
import { eventsWithFailures, withFailures } from './failure.ts'

/** Set by the host for requests that come through the owner's socket rather than from the window. */
export interface RequestContext {
  readonly caller: 'window' | 'cli'
}

/** The contract, answered. Each call is thin: the parts do the work. */
export function createRouter(core: ApiContext) {
  const os = implement(contract).$context<RequestContext>().use(({ next }) => withFailures(async () => await next()))

  async function confirmed(says: string, givenUp: AbortSignal | undefined): Promise<void> {
    if (!(await core.confirm.ask({ says }, givenUp))) throw new SottoError('confirm/refused')
  }

  /** The vault may hold the only copy of an account's key: with it goes what was paid in. Play money needs no asking. */
  async function mayGiveUpAccount(says: string, givenUp: AbortSignal | undefined): Promise<void> {
    const { account, service } = await core.status()
    if (account.connected && service.kind === 'service') await confirmed(`${says}. Its key is gone with it, unless you have a copy.`, givenUp)
  }

  function channel() {
    const { channel } = core.open().relay
    if (!channel) throw new SottoError('policy/none')
    return channel
  }

  return os.router({
    app: {
      status: os.app.status.handler(() => core.status()),
      acknowledge: os.app.acknowledge.handler(({ input }) => {
        core.acknowledge(input.noticeId)
        return core.status()
      }),
      begin: os.app.begin.handler(() => {
        core.open().store.settings.set('begun', 'yes')
        return core.status()
      }),
    },
    vault: {
      unlock: os.vault.unlock.handler(async ({ input }) => {
        await core.vault.unlock(input.passphrase)
        return core.status()
      }),
      protect: os.vault.protect.handler(async ({ input, signal }) => {
        // Whoever holds the window for a minute must not be able to lock its owner out.
        const { vault } = await core.status()
        if (vault.kind === 'file' && vault.state === 'open') await confirmed('Change the passphrase of the vault.', signal)
        await core.vault.protect(input.passphrase)
        return core.status()
      }),
    },
    confirmations: {
      pending: os.confirmations.pending.handler(() => core.confirm.pending()),
      answer: os.confirmations.answer.handler(({ input }) => ({ accepted: core.confirm.answer(input.id, input.code) })),
    },
    profiles: {
      list: os.profiles.list.handler(() => [...core.choices]),
      choose: os.profiles.choose.handler(async ({ input, signal }) => {
        const choice = core.choices.find(({ id }) => id === input.profileId)
        if (!choice) throw new SottoError('profile/unknown')
        await confirmed(`Change the service to ${choice.name}${choice.baseUrl === undefined ? '' : ` at ${new URL(choice.baseUrl).host}`}.`, signal)
        const status = await core.status()
        core.choose(choice.id)
        return status
      }),
    },
    accounts: {
      connect: os.accounts.connect.handler(async ({ input: { apiKey, creditId }, signal }) => {
        await mayGiveUpAccount('Replace the connected account by another', signal)
        await core.account.connect({ apiKey, ...(creditId !== undefined && { creditId }) })
        return core.status()
      }),
      create: os.accounts.create.handler(async ({ signal }) => {
        await mayGiveUpAccount('Replace the connected account by a new one', signal)
        await core.account.create()
        return core.status()
      }),
      disconnect: os.accounts.disconnect.handler(async ({ signal }) => {
        await mayGiveUpAccount('Forget the connected account', signal)
        await core.account.disconnect()
        return core.status()
      }),
      balance: os.accounts.balance.handler(async () => ({ picoUsd: (await core.account.balance()).toString() })),
    },
    models: { list: os.models.list.handler(async () => [...(await core.open().relay.models.all())]) },
    chat: {
      send: os.chat.send.handler(({ input, signal, context }) => eventsWithFailures(sendChat(core.open(), input, signal, context.caller))),
    },
    conversations: {
      list: os.conversations.list.handler(() => core.open().store.conversations.list()),
      get: os.conversations.get.handler(({ input }) => {
        const { store } = core.open()
        const conversation = store.conversations.get(input.conversationId)
        if (!conversation) throw new SottoError('conversation/unknown')
        return { conversation, messages: store.messages.of(conversation.id) }
      }),
      rename: os.conversations.rename.handler(({ input }) => core.open().store.conversations.rename(input.conversationId, input.title)),
      remove: os.conversations.remove.handler(({ input }) => ({ removed: core.open().store.conversations.remove(input.conversationId) })),
    },
    privacy: {
      current: os.privacy.current.handler(() => core.open().relay.channel?.current() ?? null),
      verify: os.privacy.verify.handler((): Promise<Verdict> => channel().verify()),
      acceptOlderRelease: os.privacy.acceptOlderRelease.handler(async ({ input, signal }) => {
        const verdict = channel().current()
        if (verdict?.release?.digest !== input.digest) throw new SottoError('attestation/older-release')
        await confirmed(`Trust the older release ${verdict.release.tag} of ${verdict.enclaveHost}.`, signal)
        core.open().store.verdicts.acceptOlder(verdict.enclaveHost, input.digest)
        return channel().verify()
      }),
    },
    receipts: {
      list: os.receipts.list.handler(({ input }) => core.open().store.receipts.list(input.limit)),
      get: os.receipts.get.handler(({ input }) => {
        const receipt = core.open().store.receipts.get(input.receiptId)
        if (!receipt) throw new SottoError('receipt/unknown')
        return receipt
      }),
    },
    localApi: {
      get: os.localApi.get.handler(async () => {
        const { relay, localKey } = core.open()
        const models = await relay.models.all().catch(() => [])
        return { baseUrl: core.proxyBaseUrl(), key: localKey, exampleModel: core.exampleModel(models) }
      }),
    },
    sandbox: {
      faults: os.sandbox.faults.handler(() => core.sandbox?.faults() ?? []),
      setFault: os.sandbox.setFault.handler(({ input }) => {
        if (!core.sandbox) throw new SottoError('sandbox/off')
        core.sandbox.setFault(input.fault, input.on)
        return core.sandbox.faults()
      }),
    },
  })
}
