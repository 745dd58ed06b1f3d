import { readKeyLimits, remainingBudget, type KeyLimitsText } from '../shared/key-limits.ts'
import { sameKeyName, type LocalKeyView } from '../shared/local-key.ts'
import { formatRecordedUsd, formatUsd } from '../shared/format-money.ts'
import { atDoor, print } from './at-door.ts'
import { terminalSafe } from './chat.ts'
import { confirmHere } from './confirm-here.ts'
import { counted } from './counted.ts'
import { formatMinute } from './format-time.ts'
import { grantNames, keyStateNames, periodNames } from './labels.ts'
import { failure, printFailure } from './print-failure.ts'

interface Output {
  /** One line of JSON on standard output. */
  readonly json: boolean
}

/** `sotto keys list`. Returns the exit code, as the others do. */
export function listKeys({ json }: Output): Promise<number> {
  return atDoor(json, async ({ localApi }) => {
    const keys = await localApi.keys()
    print(json, { keys: keys.map(withRemaining) }, keys.map(lineOf).join('\n'))
    return 0
  })
}

/** `sotto keys add`: prints only the secret on standard output, once. */
export function addKey(name: string, limits: KeyLimitsText, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const { vault } = await client.app.status()
    const made = await confirmHere(client, (signal) => client.localApi.create({ name, limits }, { signal }))
    print(json, { ...made, key: withRemaining(made.key) }, made.secret)
    if (!json) process.stderr.write(`${lineOf(made.key)}\nCopy the key now. It isn’t shown again.\n`)
    if (!json && vault.kind === 'memory') process.stderr.write('Nothing is saved on this computer. The key stops working when Sotto quits.\n')
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
    print(json, { key: withRemaining(revoked) }, lineOf(revoked))
    return 0
  })
}

/** The key as JSON shows it. A key with a budget also has `remaining`: pico-USD in decimal text, for the current period. */
function withRemaining(key: LocalKeyView): LocalKeyView & { readonly remaining?: string } {
  const { budget } = readKeyLimits(key.limits)
  return budget ? { ...key, remaining: remainingBudget(budget, { spent: BigInt(key.spent), held: BigInt(key.held) }).toString() } : key
}

function lineOf(key: LocalKeyView): string {
  const { name, first, state, limits, spent, held, requests, lastUsedAt } = key
  const { budget, atLeast, models, requestsPerMinute, expiresAt, allowUnpriced, grants = [] } = limits
  const { remaining } = withRemaining(key)
  const parts = [
    `${formatRecordedUsd(spent)} spent${budget ? ` of ${formatUsd(budget.picoUsd)} ${periodNames[budget.period]}` : ''}${held === '0' ? '' : `, ${formatUsd(held)} reserved`}${remaining === undefined ? '' : `, ${formatRecordedUsd(remaining)} remaining`}`,
    `${counted(requests, 'request', 'requests')}${lastUsedAt === undefined ? '' : `, last used ${formatMinute(lastUsedAt)}`}`,
    ...(atLeast ? [{ sealed: 'private models only', relayed: 'nothing that the service can read' }[atLeast]] : []),
    ...(models ? [`models ${models.join(' ')}`] : []),
    ...(requestsPerMinute === undefined ? [] : [`${counted(requestsPerMinute, 'request', 'requests')} per minute`]),
    ...(expiresAt === undefined ? [] : [`expires ${formatMinute(expiresAt)}`]),
    ...(allowUnpriced && budget ? ['requests with unknown prices allowed'] : []),
    ...grants.map((grant) => grantNames[grant]),
  ]
  // A pattern may hold anything that was typed.
  return terminalSafe(`${name} (${[first ? 'default key' : undefined, keyStateNames[state]].filter(Boolean).join(', ')}): ${parts.join('; ')}`)
}
