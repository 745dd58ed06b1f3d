import { say, type Said } from '../../../shared/say.ts'
import type { ServiceAccount } from '../../../shared/service-account.ts'
import { confirmed, type Call } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers accountsContract. Kept credentials are shown or saved, and (but for play money) an account is forgotten or added to those that
 * are kept, only after a yes outside the window. Throws vault/locked, account/…, confirm/…, request/invalid, service/….
 */
export function accountsArea(core: ApiContext, os: Implementer['accounts']) {
  const accounts = () => core.open().accounts
  const playMoney = async (): Promise<boolean> => (await core.status()).service.kind === 'sandbox'

  /** Who controls the window could slip in an account of their own, which the owner then tops up for them. The first one needs no asking. */
  async function mayAdd(says: Said, call: Call): Promise<void> {
    if (accounts().list().length > 0 && !(await playMoney())) await confirmed(core, says, call)
  }

  return {
    list: os.list.handler(() => accounts().list()),
    connect: os.connect.handler(async ({ input: { name, ...credentials }, ...call }) => {
      await mayAdd(
        say('Connect another account of this service with the API key ending in {end}, and pay from it?', {
          end: credentials.apiKey.slice(-4),
        }),
        call,
      )
      await accounts().connect(credentials, name)
      return core.status()
    }),
    create: os.create.handler(async ({ input, ...call }) => {
      await mayAdd(
        say(
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
          say(
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
        say(
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
          ? say(
              'Save the account “{name}” ({mark}) to a file, encrypted with the passphrase typed in the window?',
              named(first),
            )
          : say(
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
          say(
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
