import { reachedAlert, remainingBudget, type BudgetUse } from '../shared/budget-use.ts'
import { readKeyLimits, type KeyLimitsText } from '../shared/key-limits.ts'
import { sameKeyName, type LocalKeyView } from '../shared/local-key.ts'
import { formatRecordedUsd, formatUsd } from '../shared/format-money.ts'
import { withCommandClient, print, failure, printFailure } from './with-client.ts'
import { projectNamed } from './chat.ts'
import { confirmHere } from './confirm-here.ts'
import { counted, formatMinute, terminalSafe } from './format.ts'
import type { ContractClient } from './client.ts'
import { keyJson } from './json-amounts.ts'
import { grantNames, keyStateNames, periodNames } from './labels.ts'
import type { Output } from './json-output.ts'

/** `sotto keys list`. Returns the exit code, as the others do. */
export function listKeys({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ localApi }) => {
    const keys = await localApi.keys()
    print(json, { keys: keys.map(shownKey) }, keys.map(lineOf).join('\n'))
    return 0
  })
}

interface AddOutput extends Output {
  /** No person confirms: see unattended.ts. */
  readonly yes: boolean
}

/** `sotto keys add`: prints only the secret on standard output, once. */
export async function addKey(name: string, limits: KeyLimitsText, { json, yes }: AddOutput): Promise<number> {
  const withAnyClient = yes ? (await import('./unattended.ts')).withUnattendedClient : withCommandClient
  return withAnyClient(json, async (client) => {
    const { vault } = await client.app.status()
    const withId = await withProjectId(client, limits)
    const created = await confirmHere(client, (signal) =>
      client.localApi.create({ name, limits: withId }, { signal }),
    )
    print(json, { ...created, key: shownKey(created.key) }, created.secret)
    if (!json) process.stderr.write(`${lineOf(created.key)}\nCopy the key now. It isn’t shown again.\n`)
    if (!json && vault.kind === 'memory')
      process.stderr.write('Nothing is saved on this computer. The key stops working when Sotto quits.\n')
    return 0
  })
}

/**
 * `sotto keys increase`, by name or id.
 * @param picoUsd decimal text; "0" ends an increase
 * @param until Unix ms; undefined for the end of the current period
 */
export function increaseBudget(
  nameOrId: string,
  picoUsd: string,
  until: number | undefined,
  { json }: Output,
): Promise<number> {
  return changeKey(nameOrId, json, (client, { id: keyId }) =>
    confirmHere(client, (signal) => client.localApi.increase({ keyId, picoUsd, until }, { signal })),
  )
}

/** `sotto keys edit`, by name or id. @param edit returns the new limits of a key */
export function editKey(
  nameOrId: string,
  edit: (limits: KeyLimitsText) => KeyLimitsText,
  { json }: Output,
): Promise<number> {
  return changeKey(nameOrId, json, async (client, { id: keyId, limits }) => {
    const edited = await withProjectId(client, edit(limits), limits)
    return confirmHere(client, (signal) => client.localApi.update({ keyId, limits: edited }, { signal }))
  })
}

/** Replaces the name of a project by its ID, unless it's the ID that the key already has. */
async function withProjectId(
  client: ContractClient,
  { serverTools, ...limits }: KeyLimitsText,
  { serverTools: before }: KeyLimitsText = {},
): Promise<KeyLimitsText> {
  const knowledge = serverTools?.knowledge
  if (knowledge === undefined || knowledge === before?.knowledge)
    return { ...limits, ...(serverTools && { serverTools }) }
  const { id } = await projectNamed(client, knowledge)
  return { ...limits, serverTools: { ...serverTools, knowledge: id } }
}

/** `sotto keys revoke`, by name or id. */
export function revokeKey(nameOrId: string, { json }: Output): Promise<number> {
  return changeKey(nameOrId, json, ({ localApi }, { id: keyId }) => localApi.revoke({ keyId }))
}

/** Finds a key by its ID or the name of an active one, changes it, and prints the changed key. */
function changeKey(
  nameOrId: string,
  json: boolean,
  change: (client: ContractClient, key: LocalKeyView) => Promise<LocalKeyView>,
): Promise<number> {
  return withCommandClient(json, async (client) => {
    const keys = await client.localApi.keys()
    const key =
      keys.find(({ id }) => id === nameOrId) ??
      keys.find(({ name, state }) => state !== 'revoked' && sameKeyName(name, nameOrId))
    if (!key) {
      printFailure(failure('local-key/unknown'), json)
      return 1
    }
    const changed = await change(client, key)
    print(json, { key: shownKey(changed) }, lineOf(changed))
    return 0
  })
}

/** The key as JSON shows it. A key with a budget also has what remains in the current period. */
function shownKey(key: LocalKeyView): object {
  const use = useOf(key)
  return keyJson(key, use && remainingBudget(use))
}

function useOf({ limits, increase, spent, held }: LocalKeyView): BudgetUse | undefined {
  const { budget } = readKeyLimits(limits)
  return (
    budget && {
      budget,
      ...(increase && { increase: { picoUsd: BigInt(increase.picoUsd) } }),
      spent: BigInt(spent),
      held: BigInt(held),
    }
  )
}

function lineOf(key: LocalKeyView): string {
  const { name, first, state, limits, increase, spent, held, requests, lastUsedAt } = key
  const {
    budget,
    atLeast,
    models,
    requestsPerMinute,
    tokensPerMinute,
    parallelRequests,
    expiresAt,
    allowUnpriced,
    grants = [],
    aliases = [],
    origins = [],
    serverTools = {},
  } = limits
  const use = useOf(key)
  const alert = use && reachedAlert(use)
  const parts = [
    `${formatRecordedUsd(spent)} spent${budget ? ` of ${formatUsd(budget.picoUsd)} ${periodNames[budget.period]}` : ''}${increase ? `, ${formatUsd(increase.picoUsd)} added until ${formatMinute(increase.until)}` : ''}${held === '0' ? '' : `, ${formatUsd(held)} reserved`}${use ? `, ${formatRecordedUsd(remainingBudget(use).toString())} remaining` : ''}`,
    ...(alert === undefined ? [] : [`at least ${String(alert)}% of the budget is spent`]),
    `${counted(requests, 'request', 'requests')}${lastUsedAt === undefined ? '' : `, last used ${formatMinute(lastUsedAt)}`}`,
    ...(atLeast
      ? [{ sealed: 'private models only', relayed: 'nothing that the service can read' }[atLeast]]
      : []),
    ...(models ? [`models ${models.join(' ')}`] : []),
    ...(requestsPerMinute === undefined
      ? []
      : [`${counted(requestsPerMinute, 'request', 'requests')} per minute`]),
    ...(tokensPerMinute === undefined ? [] : [`${counted(tokensPerMinute, 'token', 'tokens')} per minute`]),
    ...(parallelRequests === undefined
      ? []
      : [counted(parallelRequests, 'parallel request', 'parallel requests')]),
    ...(budget?.soft ? ['soft budget'] : []),
    ...(budget?.alertPercent === undefined || alert !== undefined
      ? []
      : [`alert at ${String(budget.alertPercent)}%`]),
    ...(expiresAt === undefined ? [] : [`expires ${formatMinute(expiresAt)}`]),
    ...(allowUnpriced && budget ? ['requests with unknown prices allowed'] : []),
    ...grants.map((grant) => grantNames[grant]),
    ...aliases.map(({ pattern, model }) => `${pattern} = ${model}`),
    ...(serverTools.webSearch ? ['web search'] : []),
    ...(serverTools.knowledge === undefined ? [] : [`documents of project ${serverTools.knowledge}`]),
    ...(origins.length > 0 ? [`origins ${origins.join(' ')}`] : []),
  ]
  // A pattern may hold anything that was typed.
  return terminalSafe(
    `${name} (${[first ? 'default key' : undefined, keyStateNames[state]].filter(Boolean).join(', ')}): ${parts.join('; ')}`,
  )
}
