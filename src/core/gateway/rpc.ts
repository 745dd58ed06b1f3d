import { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'
import { toolKeyLimits, toolKeyName } from '../../shared/tools/tool-key.ts'
import { type Call, confirmed } from '../app/confirm.ts'
import type { ApiContext } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import { favouriteModels, setFavouriteModel } from './favourite-models.ts'
import { listRequests, watchLocalApi } from './local-keys/key-requests.ts'
import { exampleModel, tryKey } from './local-keys/try-key.ts'

/** Handles modelsContract. @throws {SottoError} vault/locked, service/… */
export function modelsArea(core: ApiContext, os: Implementer['models']) {
  return {
    list: os.list.handler(async () => [...(await core.open().relay.models.all())]),
    favourites: os.favourites.handler(() => favouriteModels(core.open().store.settings)),
    setFavourite: os.setFavourite.handler(({ input }) =>
      setFavouriteModel(core.open().store.settings, input.modelId, input.favourite),
    ),
  }
}

/**
 * Handles localApiContract. The person confirms outside the window if a new key may do more than the first,
 * or a key more than before.
 * @throws {SottoError} vault/locked, local-key/…, confirm/…, proxy/port-taken, proxy/internal
 */
export function localApiArea(core: ApiContext, os: Implementer['localApi']) {
  const ask = (call: Call) => (question: LocalizedText) => confirmed(core, question, call)
  return {
    get: os.get.handler(async () => {
      const { relay, keys } = core.open()
      const models = await relay.models.all().catch(() => [])
      return {
        baseUrl: core.proxyBaseUrl(),
        key: keys.firstSecret(),
        exampleModel: exampleModel(models),
      }
    }),
    keys: os.keys.handler(() => core.open().keys.list()),
    create: os.create.handler(({ input, ...call }) => core.open().keys.create(input, ask(call))),
    forTool: os.forTool.handler(async ({ input: { tool, anyModel }, ...call }) => {
      // If a page could ask for it, it would get a secret that it can't create itself, once the person has
      // widened the key's limits.
      if (call.context.caller.kind !== 'cli') throw new SottoError('local-key/command-line')
      const toolKey = await core
        .open()
        .keys.forTool({ name: toolKeyName(tool, anyModel), limits: toolKeyLimits(anyModel) }, ask(call))
      return { ...toolKey, baseUrl: core.proxyBaseUrl() }
    }),
    update: os.update.handler(({ input, ...call }) => core.open().keys.update(input, ask(call))),
    increase: os.increase.handler(({ input, ...call }) => core.open().keys.increase(input, ask(call))),
    revoke: os.revoke.handler(({ input }) => core.open().keys.revoke(input.keyId)),
    rotate: os.rotate.handler(() => core.open().keys.rotate()),
    requests: os.requests.handler(({ input }) => listRequests(core.open().store, input)),
    serve: os.serve.handler(async ({ input: { on } }) => {
      await core.serve(on)
      return core.status()
    }),
    watch: os.watch.handler(({ signal }) => {
      const { keys, store } = core.open()
      return eventsWithFailures(watchLocalApi(keys, store.localKeys, signal ?? new AbortController().signal))
    }),
    try: os.try.handler(({ input, signal }) => {
      const { store } = core.open()
      return tryKey({
        ...input,
        fetch: core.fetch,
        baseUrl: core.proxyBaseUrl(),
        receipt: (id) => store.receipts.get(id),
        signal,
      })
    }),
  }
}

/** Handles receiptsContract. @throws {SottoError} vault/locked, receipt/unknown */
export function receiptsArea(core: ApiContext, os: Implementer['receipts']) {
  return {
    list: os.list.handler(({ input }) => core.open().store.receipts.list(input.limit)),
    get: os.get.handler(({ input }) => {
      const receipt = core.open().store.receipts.get(input.receiptId)
      if (!receipt) throw new SottoError('receipt/unknown')
      return receipt
    }),
  }
}
