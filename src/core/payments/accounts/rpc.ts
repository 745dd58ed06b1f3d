import { type LocalizedText, msg } from '../../../shared/localized-text.ts'
import type { ServiceAccount } from '../../../shared/service-account.ts'
import { type Call, confirmed } from '../../app/confirm.ts'
import type { ApiContext } from '../../rpc/context.ts'
import type { Implementer } from '../../rpc/implementer.ts'
import type { FoundKey, ServiceKeys } from './index.ts'

/**
 * Handles accountsContract. A confirmation outside the window is required to show or export saved credentials
 * and, except in the sandbox, to remove an account or to add one to others.
 * @throws {SottoError} vault/locked, account/…, confirm/…, request/invalid, service/…
 */
export function accountsArea(core: ApiContext, os: Implementer['accounts']) {
  const accounts = () => core.open().accounts
  const playMoney = async (): Promise<boolean> => (await core.status()).service.kind === 'sandbox'

  /**
   * An attacker who controls the window could add their own account, for which the owner then pays. The first
   * account needs no confirmation.
   */
  async function mayAdd(question: LocalizedText, call: Call): Promise<void> {
    if (accounts().list().length > 0 && !(await playMoney())) await confirmed(core, question, call)
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
      // The vault may have the only copy of its key. Simulated money needs no confirmation.
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
      const allAccounts = accounts().list()
      const [first, ...others] = allAccounts
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
        allAccounts.map(({ id }) => id),
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

/** Distinguishes accounts with the same name. */
function named({ name, creditIdMasked, keyMasked }: ServiceAccount): {
  readonly name: string
  readonly mark: string
} {
  return { name, mark: creditIdMasked ?? keyMasked ?? '' }
}

/**
 * Handles serviceKeysContract. A confirmation outside the window is required to show a key, to replace one,
 * and to revoke one that Sotto uses or may use.
 * @throws {SottoError} vault/locked, service/…, request/invalid, confirm/…
 */
export function serviceKeysArea(core: ApiContext, os: Implementer['serviceKeys']) {
  /** Returns the keys of the account that is active now, because a confirmation may take minutes. */
  const keysNow = (): ServiceKeys => core.open().serviceKeys()

  return {
    list: os.list.handler(({ input, signal }) => keysNow().list(input.includeRevoked, { signal })),
    create: os.create.handler(({ input }) => keysNow().create(input)),
    update: os.update.handler(({ input: { keyId, ...changes } }) => keysNow().update(keyId, changes)),
    revoke: os.revoke.handler(async ({ input, ...call }) => {
      const keys = keysNow()
      const found = await keys.find(input.keyId, { signal: call.signal })
      // Only a key that certainly isn't in use needs no confirmation.
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
