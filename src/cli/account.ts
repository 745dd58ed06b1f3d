import { SottoError } from '../shared/errors.ts'
import { say } from '../shared/say.ts'
import type { ServiceAccount } from '../shared/service-account.ts'
import { atDoor, print } from './at-door.ts'
import { terminalSafe } from './chat.ts'
import { confirmHere } from './confirm-here.ts'
import type { DoorClient } from './door-client.ts'
import { promptSecret } from './passphrase.ts'
import { failure, printFailure } from './print-failure.ts'

interface Output {
  /** One line of JSON on standard output. */
  readonly json: boolean
}

/** Longer than a key and a credit id. */
const MAX_INPUT = 1024

/** `sotto account list`. Returns the exit code, as the others do. */
export function listAccounts({ json }: Output): Promise<number> {
  return atDoor(json, async ({ accounts }) => {
    const list = await accounts.list()
    print(json, { accounts: list }, list.length === 0 ? 'No account is kept here.' : list.map(lineOf).join('\n'))
    return 0
  })
}

/** `sotto account create`: asks the service for nothing where nobody would see the credentials. */
export function createAccount({ json, name }: Output & { readonly name?: string }): Promise<number> {
  if (!json && !process.stdout.isTTY) {
    printFailure(failure('request/invalid', say('A new account’s credentials are printed in a terminal, or with --json.')), json)
    return Promise.resolve(1)
  }
  return atDoor(json, async (client) => {
    const { vault } = await client.app.status()
    const { account, credentials } = await confirmHere(client, (signal) => client.accounts.create(name === undefined ? undefined : { name }, { signal }))
    print(json, { account, credentials }, `API key:   ${credentials.apiKey}\nCredit id: ${credentials.creditId}`)
    if (!json) process.stderr.write(`${lineOf(account)}\nKeep these two elsewhere, or make a backup: they are the only proof that the account is yours.\n`)
    if (!json && vault.kind === 'memory') process.stderr.write('This Sotto keeps nothing: without a copy the account ends with it.\n')
    return 0
  })
}

/** `sotto account connect`: the key is a secret, and no argument. */
export function connectAccount({ json, name }: Output & { readonly name?: string }): Promise<number> {
  return atDoor(json, async (client) => {
    const [apiKey = '', creditId = ''] = process.stdin.isTTY
      ? [await promptSecret('The account’s API key: '), await promptSecret('Its credit id (empty: none): ')]
      : (await readInput()).split(/\r?\n/)
    const given = { apiKey: requireCredential(apiKey.trim(), 'The key'), ...(creditId.trim() !== '' && { creditId: requireCredential(creditId.trim(), 'The credit id') }), ...(name !== undefined && { name }) }
    await confirmHere(client, (signal) => client.accounts.connect(given, { signal }))
    return shownActive(client, json)
  })
}

/** `sotto account use`. */
export function activateAccount(which: string, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    if (which === 'none') await client.accounts.disconnect()
    else await client.accounts.activate({ accountId: (await found(client, which)).id })
    return shownActive(client, json)
  })
}

/** `sotto account forget`. */
export function forgetAccount(which: string, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const account = await found(client, which)
    await confirmHere(client, (signal) => client.accounts.forget({ accountId: account.id }, { signal }))
    print(json, { forgotten: account }, terminalSafe(`Forgotten: ${account.name}`))
    return 0
  })
}

/** By its id or its beginning, or by its name where no other has it. Throws account/unknown. */
async function found({ accounts }: DoorClient, which: string): Promise<ServiceAccount> {
  const list = await accounts.list()
  const [one, another] = list.filter(({ id, name }) => id === which || name === which || (which.length >= 4 && id.startsWith(which)))
  const exact = list.find(({ id }) => id === which) ?? (another ? undefined : one)
  if (!exact) throw new SottoError('account/unknown', another ? { detail: say('Several are called so: name one by its id.') } : {})
  return exact
}

async function shownActive({ accounts }: DoorClient, json: boolean): Promise<number> {
  const account = (await accounts.list()).find(({ active }) => active)
  print(json, { account: account ?? null }, account ? lineOf(account) : 'No account is in use.')
  return 0
}

/** Credentials masked, and safe to print whatever its name holds. */
export function lineOf({ id, name, active, keyMasked, creditIdMasked, addedAt, saved }: ServiceAccount): string {
  const parts = [
    `key ${keyMasked}`,
    creditIdMasked === undefined ? 'no credit id' : `credit id ${creditIdMasked}`,
    `added ${new Date(addedAt).toISOString().slice(0, 10)}`,
    saved ? 'saved elsewhere' : 'not saved elsewhere',
  ]
  return terminalSafe(`${id}  ${name}${active ? ' (in use)' : ''}: ${parts.join('; ')}`)
}

function requireCredential(text: string, what: string): string {
  if (text.length < 8 || text.length > 200) throw new SottoError('request/invalid', { detail: say('{what} has 8 to 200 characters.', { what }) })
  return text
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_INPUT) throw new SottoError('request/invalid', { detail: say('Standard input is longer than a key and a credit id.') })
  }
  return text
}
