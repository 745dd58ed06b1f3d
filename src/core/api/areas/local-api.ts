import { SottoError } from '../../../shared/errors.ts'
import { toolKeyLimits, toolKeyName } from '../../../shared/tools/tool-key.ts'
import type { Said } from '../../../shared/say.ts'
import { confirmed, type Call } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import type { Implementer } from '../implementer.ts'
import { listRequests, watchLocalApi } from '../key-requests.ts'
import { tryKey } from '../try-key.ts'

/**
 * Answers localApiContract. The person confirms outside the window if a new key may do more than the first, or a key more than before. Throws vault/locked, local-key/…, confirm/…, proxy/port-taken, proxy/internal.
 */
export function localApiArea(core: ApiContext, os: Implementer['localApi']) {
  const ask = (call: Call) => (says: Said) => confirmed(core, says, call)
  return {
    get: os.get.handler(async () => {
      const { relay, keys } = core.open()
      const models = await relay.models.all().catch(() => [])
      return {
        baseUrl: core.proxyBaseUrl(),
        key: keys.firstSecret(),
        exampleModel: core.exampleModel(models),
      }
    }),
    keys: os.keys.handler(() => core.open().keys.list()),
    create: os.create.handler(({ input, ...call }) => core.open().keys.create(input, ask(call))),
    forTool: os.forTool.handler(async ({ input: { tool, anyModel }, ...call }) => {
      // A page that could ask would get a secret that it can't create itself, once its owner has raised the key's limits.
      if (call.context.caller.kind !== 'cli') throw new SottoError('local-key/command-line')
      const made = await core
        .open()
        .keys.forTool({ name: toolKeyName(tool, anyModel), limits: toolKeyLimits(anyModel) }, ask(call))
      return { ...made, baseUrl: core.proxyBaseUrl() }
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
