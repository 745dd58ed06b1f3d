import type { KeyLimitsText } from '../shared/key-limits.ts'
import { sameKeyName, type LocalKeyView } from '../shared/local-key.ts'
import { formatUsd } from '../shared/format-money.ts'
import { atDoor, print } from './at-door.ts'
import { terminalSafe } from './chat.ts'
import { confirmHere } from './confirm-here.ts'
import { counted } from './counted.ts'
import { failure, printFailure } from './print-failure.ts'

interface Output {
  /** One line of JSON on standard output. */
  readonly json: boolean
}

/** `sotto keys list`. Returns the exit code, as the others do. */
export function listKeys({ json }: Output): Promise<number> {
  return atDoor(json, async ({ localApi }) => {
    const keys = await localApi.keys()
    print(json, { keys }, keys.map(lineOf).join('\n'))
    return 0
  })
}

/** `sotto keys add`: the secret alone on standard output, once. */
export function addKey(name: string, limits: KeyLimitsText, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const { vault } = await client.app.status()
    const made = await confirmHere(client, (signal) => client.localApi.create({ name, limits }, { signal }))
    print(json, made, made.secret)
    if (!json) process.stderr.write(`${lineOf(made.key)}\nThe secret is not shown again.\n`)
    if (!json && vault.kind === 'memory') process.stderr.write('This Sotto keeps nothing: the key ends with it.\n')
    return 0
  })
}

/** `sotto keys revoke`, by name or id. */
export function revokeKey(nameOrId: string, { json }: Output): Promise<number> {
  return atDoor(json, async ({ localApi }) => {
    const keys = await localApi.keys()
    const key = keys.find(({ id }) => id === nameOrId) ?? keys.find(({ name, state }) => state !== 'revoked' && sameKeyName(name, nameOrId))
    if (!key) {
      printFailure(failure('local-key/unknown'), json)
      return 1
    }
    const revoked = await localApi.revoke({ keyId: key.id })
    print(json, { key: revoked }, lineOf(revoked))
    return 0
  })
}

function lineOf({ name, first, state, limits, spent, held, requests, lastUsedAt }: LocalKeyView): string {
  const { budget, privateOnly, models, requestsPerMinute, expiresAt, allowUnpriced, grants = [] } = limits
  const parts = [
    `${formatUsd(spent)} spent${held === '0' ? '' : `, ${formatUsd(held)} held`}${budget ? ` of ${formatUsd(budget.picoUsd)} ${budget.period === 'total' ? 'in all' : `a ${budget.period}`}` : ''}`,
    `${counted(requests, 'request', 'requests')}${lastUsedAt === undefined ? '' : `, the last ${when(lastUsedAt)}`}`,
    ...(privateOnly ? ['private models alone'] : []),
    ...(models ? [`models ${models.join(' ')}`] : []),
    ...(requestsPerMinute === undefined ? [] : [`${String(requestsPerMinute)} a minute`]),
    ...(expiresAt === undefined ? [] : [`until ${when(expiresAt)}`]),
    ...(allowUnpriced && budget ? ['unknown prices too'] : []),
    ...(grants.length === 0 ? [] : [`may ${grants.join(', ')}`]),
  ]
  // A pattern may hold anything that was typed.
  return terminalSafe(`${name} (${[first ? 'first' : undefined, state].filter(Boolean).join(', ')}): ${parts.join('; ')}`)
}

function when(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
