import { isDirect } from '../shared/direct.ts'
import { SottoError } from '../shared/errors.ts'
import { formatUsd } from '../shared/format-money.ts'
import { decimalUsd } from '../shared/money.ts'
import { msg } from '../shared/localized-text.ts'
import type { ServiceAccount } from '../shared/service-account.ts'
import { withCommandClient, print, failure, printFailure } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import type { ContractClient } from './client.ts'
import { exits } from './exit-codes.ts'
import { formatDate, terminalSafe, readAll } from './format.ts'
import { promptSecret } from './passphrase.ts'
import type { Output } from './json-output.ts'

/** More than an API key and a credit ID need. */
const MAX_INPUT = 1024

/** `sotto account list`. Returns the exit code, as the others do. */
export function listAccounts({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ accounts, app }) => {
    const list = await accounts.list()
    const none = isDirect((await app.status()).service)
      ? 'No API key is saved. To connect one, run: sotto account connect'
      : 'No accounts are saved. To create one, run: sotto account create'
    print(json, { accounts: list }, list.length === 0 ? none : list.map(lineOf).join('\n'))
    return 0
  })
}

/** `sotto account create`: sends nothing if the credentials couldn't be shown. */
export function createAccount({ json, name }: Output & { readonly name?: string }): Promise<number> {
  if (!json && !process.stdout.isTTY) {
    printFailure(
      failure(
        'request/invalid',
        msg(
          'The credentials of a new account are only printed in a terminal. To print them elsewhere, use --json.',
        ),
      ),
      json,
    )
    return Promise.resolve(exits.unusable)
  }
  return withCommandClient(json, async (client) => {
    const { vault } = await client.app.status()
    const { account, credentials } = await confirmHere(client, (signal) =>
      client.accounts.create(name === undefined ? undefined : { name }, { signal }),
    )
    const { apiKey, creditId } = credentials
    print(
      json,
      { account, credentials },
      [
        ...(apiKey === undefined ? [] : [`API key:   ${apiKey}`]),
        ...(creditId === undefined ? [] : [`Credit ID: ${creditId}`]),
      ].join('\n'),
    )
    const missing = missingCredential(account)
    if (!json)
      process.stderr.write(
        `${lineOf(account)}\n${missing === undefined ? 'Save both' : `${missing}\nSave the credential`} elsewhere, or run: sotto account backup --output <file>\nThe account can’t be restored without a copy.\n`,
      )
    else if (missing !== undefined) process.stderr.write(`${missing}\n`)
    if (!json && vault.kind === 'memory')
      process.stderr.write(
        'Nothing is saved on this computer. Without a copy of its credentials, you lose the account when Sotto quits.\n',
      )
    return 0
  })
}

/** `sotto account connect`: the key is a secret, and no argument. */
export function connectAccount({ json, name }: Output & { readonly name?: string }): Promise<number> {
  return withCommandClient(json, async (client) => {
    const direct = isDirect((await client.app.status()).service)
    const [apiKey = '', creditId = ''] = process.stdin.isTTY
      ? [
          await promptSecret('API key of the account: '),
          direct ? '' : await promptSecret('Credit ID of the account (Enter: none): '),
        ]
      : (await readAll({ most: MAX_INPUT, tooLong })).split(/\r?\n/)
    const credentials = {
      apiKey: requireCredential(apiKey.trim(), 'API key'),
      ...(creditId.trim() !== '' && { creditId: requireCredential(creditId.trim(), 'credit ID') }),
      ...(name !== undefined && { name }),
    }
    await confirmHere(client, (signal) => client.accounts.connect(credentials, { signal }))
    return shownActive(client, json)
  })
}

/** `sotto account use`. */
export function activateAccount(which: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    if (which === 'none') await client.accounts.disconnect()
    else await client.accounts.activate({ accountId: (await found(client, which)).id })
    return shownActive(client, json)
  })
}

/** `sotto account forget`. */
export function forgetAccount(which: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    const account = await found(client, which)
    await confirmHere(client, (signal) => client.accounts.forget({ accountId: account.id }, { signal }))
    print(json, { forgotten: account }, terminalSafe(`Removed: ${account.name}`))
    return 0
  })
}

/** Finds an account by its ID or the start of it, or by its name if no other has it. Throws account/unknown. */
async function found({ accounts }: ContractClient, which: string): Promise<ServiceAccount> {
  const list = await accounts.list()
  const [one, another] = list.filter(
    ({ id, name }) => id === which || name === which || (which.length >= 4 && id.startsWith(which)),
  )
  const exact = list.find(({ id }) => id === which) ?? (another ? undefined : one)
  if (!exact)
    throw new SottoError(
      'account/unknown',
      another ? { detail: msg('Several accounts match. Use the account ID from "sotto account list".') } : {},
    )
  return exact
}

async function shownActive({ accounts }: ContractClient, json: boolean): Promise<number> {
  const account = (await accounts.list()).find(({ active }) => active)
  print(json, { account: account ?? null }, account ? lineOf(account) : 'No account is active.')
  return 0
}

/** Formats an account in a single line with masked credentials, safe to print whatever its name contains. */
export function lineOf({
  id,
  name,
  active,
  keyMasked,
  creditIdMasked,
  addedAt,
  saved,
}: ServiceAccount): string {
  const parts = [
    keyMasked === undefined ? 'no API key' : `API key ${keyMasked}`,
    creditIdMasked === undefined ? 'no credit ID' : `credit ID ${creditIdMasked}`,
    `added ${formatDate(addedAt)}`,
    saved ? 'credentials also saved elsewhere' : 'only saved on this computer',
  ]
  return terminalSafe(`${id}  ${name}${active ? ' (active)' : ''}: ${parts.join('; ')}`)
}

/** Names the credential that the service didn't give a new account, with what the account can't do without it. */
function missingCredential({ keyMasked, creditIdMasked }: ServiceAccount): string | undefined {
  if (keyMasked === undefined)
    return 'The service returned no API key. Chat, media and top-ups need one: run "sotto keys create", then "sotto account connect".'
  return creditIdMasked === undefined
    ? 'The service returned no credit ID. Managing API keys and automatic top-up need one.'
    : undefined
}

function requireCredential(text: string, what: 'API key' | 'credit ID'): string {
  if (text.length < 8 || text.length > 200)
    throw new SottoError('request/invalid', {
      detail: msg('The {what} must have 8 to 200 characters.', { what }),
    })
  return text
}

const tooLong = (): SottoError =>
  new SottoError('request/invalid', {
    detail: msg(
      'Standard input is too long. It takes the API key on the first line and the credit ID on the second.',
    ),
  })

/**
 * `sotto balance`: prints the exact balance of the active account, read from the service now.
 *
 * @returns the exit code: 0, or 1 if there is no active account or the service didn't report its balance
 */
export function showBalance({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ accounts }) => {
    const { picoUsd } = await accounts.balance()
    const active = (await accounts.list()).find((account) => account.active)
    const balance = { usd: decimalUsd(BigInt(picoUsd)) }
    const amount = formatUsd(picoUsd, 'en', { style: 'exact' })
    print(
      json,
      { account: active ? { id: active.id, name: active.name } : null, balance },
      terminalSafe(active ? `${active.name}: ${amount}` : amount),
    )
    return 0
  })
}
