import { say } from '../../../shared/say.ts'
import type { FoundKey, ServiceKeys } from '../../accounts/index.ts'
import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers serviceKeysContract. Showing a key, replacing one, and revoking one that Sotto uses or may be using are confirmed outside the
 * window first. Throws vault/locked, service/…, request/invalid, confirm/….
 */
export function serviceKeysArea(core: ApiContext, os: Implementer['serviceKeys']) {
  /** Of the account that is active at this moment: a confirmation may take minutes. */
  const keysNow = (): ServiceKeys => core.open().serviceKeys()

  return {
    list: os.list.handler(({ input, signal }) => keysNow().list(input.includeRevoked, { signal })),
    create: os.create.handler(({ input }) => keysNow().create(input)),
    update: os.update.handler(({ input: { keyId, ...changes } }) => keysNow().update(keyId, changes)),
    revoke: os.revoke.handler(async ({ input, ...call }) => {
      const keys = keysNow()
      const found = await keys.find(input.keyId, { signal: call.signal })
      // What is not known to be of another's use is asked about.
      if (found.inUse !== false)
        await confirmed(
          core,
          found.inUse === null
            ? say(
                'Permanently revoke the API key “{name}”? Sotto may be using it. If so, Sotto can’t pay from the account until it has another key.',
                { name: nameOf(found) },
              )
            : say(
                'Permanently revoke the API key “{name}”? Sotto is using it. Sotto can’t pay from the account until it has another key.',
                { name: nameOf(found) },
              ),
          call,
        )
      return keys.revoke(found)
    }),
    rotate: os.rotate.handler(async ({ input, ...call }) => {
      const keys = keysNow()
      const found = await keys.find(input.keyId, { signal: call.signal })
      await confirmed(
        core,
        say(
          'Replace the API key “{name}” with a new key that has the same limits? The old key will be revoked permanently. Anything else that uses it will stop working.',
          { name: nameOf(found) },
        ),
        call,
      )
      return keys.rotate(input.keyId)
    }),
    reveal: os.reveal.handler(async ({ input, ...call }) => {
      const keys = keysNow()
      const found = await keys.find(input.keyId, { signal: call.signal })
      await confirmed(
        core,
        say(
          'Show the API key “{name}” in the window? Anyone who sees it can spend the account’s balance within the key’s limits.',
          { name: nameOf(found) },
        ),
        call,
      )
      return { secret: await keys.reveal(input.keyId) }
    }),
  }
}

function nameOf({ key }: FoundKey): string {
  return key.name.slice(0, 60)
}
