import { type LocalizedText, msg } from '../../../shared/localized-text.ts'
import type { ServiceAccount } from '../../../shared/service-account.ts'
import { type Call, confirmed } from '../../app/confirm.ts'
import type { ApiContext } from '../../rpc/context.ts'
import type { Implementer } from '../../rpc/implementer.ts'
import type { FoundKey, ServiceKeys } from './index.ts'

/**
 * Answers accountsContract. Kept credentials are shown or saved, and (but for play money) an account is forgotten or added to those that
 * are kept, only after a yes outside the window. Throws vault/locked, account/…, confirm/…, request/invalid, service/….
 */
export function accountsArea(core: ApiContext, os: Implementer['accounts']) {
  const accounts = () => core.open().accounts
  const playMoney = async (): Promise<boolean> => (await core.status()).service.kind === 'sandbox'

  /** Who controls the window could slip in an account of their own, which the owner then tops up for them. The first one needs no asking. */
  async function mayAdd(says: LocalizedText, call: Call): Promise<void> {
    if (accounts().list().length > 0 && !(await playMoney())) await confirmed(core, says, call)
  }

  return {
    list: os.list.handler(() => accounts().list()),
    connect: os.connect.handler(async ({ input: { name, ...credentials }, ...call }) => {
      await mayAdd(
        msg('Connect another account of this service with the API key ending in {end}, and pay from it?', {
          end: credentials.apiKey.slice(-4),
        }),
        call,
      )
      await accounts().connect(credentials, name)
      return core.status()
    }),
    create: os.create.handler(async ({ input, ...call }) => {
      await mayAdd(
        msg(
          'Create another account at the service and pay from it? Its credentials will appear in the window.',
        ),
        call,
      )
      const { account, credentials } = await accounts().create(input?.name)
      return { status: await core.status(), account, credentials }
    }),
    activate: os.activate.handler(async ({ input }) => {
      await accounts().activate(input.accountId)
      return core.status()
    }),
    rename: os.rename.handler(({ input }) => accounts().rename(input.accountId, input.name)),
    markSaved: os.markSaved.handler(({ input }) => accounts().markSaved(input.accountId)),
    disconnect: os.disconnect.handler(async () => {
      await accounts().disconnect()
      return core.status()
    }),
    forget: os.forget.handler(async ({ input, ...call }) => {
      const account = accounts().get(input.accountId)
      // The vault may hold the only copy of its key. Play money needs no asking.
      if (!(await playMoney()))
        await confirmed(
          core,
          msg(
            'Remove the account “{name}” ({mark})? Its credentials will be deleted from the vault. Without a copy of them, you lose the balance.',
            named(account),
          ),
          call,
        )
      await accounts().forget(account.id)
      return core.status()
    }),
    reveal: os.reveal.handler(async ({ input, ...call }) => {
      const account = accounts().get(input.accountId)
      await confirmed(
        core,
        msg(
          'Show the API key and credit ID of the account “{name}” ({mark}) in the window? Anyone who sees them can spend its balance.',
          named(account),
        ),
        call,
      )
      return accounts().credentialsOf(account.id)
    }),
    backup: os.backup.handler(async ({ input, ...call }) => {
      const asked = accounts().list()
      const [first, ...others] = asked
      await confirmed(
        core,
        first && others.length === 0
          ? msg(
              'Save the account “{name}” ({mark}) to a file, encrypted with the passphrase typed in the window?',
              named(first),
            )
          : msg(
              'Save {count, plural, one {# account} other {all # accounts}} to a file, encrypted with the passphrase typed in the window?',
              { count: others.length + (first ? 1 : 0) },
            ),
        call,
      )
      const text = await accounts().backup(
        input.passphrase,
        asked.map(({ id }) => id),
      )
      return { fileName: `sotto-accounts-${new Date(core.now()).toISOString().slice(0, 10)}.json`, text }
    }),
    restore: os.restore.handler(({ input, ...call }) =>
      accounts().restore(input.text, input.passphrase, (count) =>
        mayAdd(
          msg(
            'Add {count, plural, one {# account} other {# accounts}} from a backup to the accounts saved here?',
            { count },
          ),
          call,
        ),
      ),
    ),
    balance: os.balance.handler(async ({ signal }) => ({
      picoUsd: (await accounts().balance({ signal })).toString(),
    })),
  }
}

/** Told apart also where two are called alike. */
function named({ name, creditIdMasked, keyMasked }: ServiceAccount): {
  readonly name: string
  readonly mark: string
} {
  return { name, mark: creditIdMasked ?? keyMasked ?? '' }
}

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
            ? msg(
                'Permanently revoke the API key “{name}”? Sotto may be using it. If so, Sotto can’t pay from the account until it has another key.',
                { name: nameOf(found) },
              )
            : msg(
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
        msg(
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
        msg(
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
