import {
  createKey,
  createKeyOf,
  listAbsences,
  listKeysWithAmounts,
  migrateDatabase,
  newLocalKey,
  readDatabaseAddress,
  revokeKey,
  withDatabase,
  type Database,
} from '../replica/index.ts'
import { formatRecordedUsd, formatUsd } from '../shared/format-money.ts'
import { decimalUsd } from '../shared/money.ts'
import { readKeyLimits, type KeyLimitsText } from '../shared/key-limits.ts'
import type { DatabaseOptions } from './database-options.ts'
import { formatMinute, terminalSafe } from './format.ts'
import { sharedKeyJson } from './json-amounts.ts'
import { periodNames } from './labels.ts'
import { exitOfThrown, print } from './with-client.ts'

/** `sotto database migrate`. Returns the exit code, as the others do. */
export function migrate(options: DatabaseOptions): Promise<number> {
  return reporting(options, async () => {
    const { from, to } = await migrateDatabase(await readDatabaseAddress(options.database, process.env))
    print(
      options.json,
      { from, to },
      from === to ? `The schema is current: version ${String(to)}.` : `Migrated to version ${String(to)}.`,
    )
  })
}

/** `sotto database absences`: the newest 100. */
export function absences(options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const found = await listAbsences(database)
    print(
      options.json,
      {
        absences: found.map(({ chargedAtMost, ...absence }) => ({
          ...absence,
          chargedAtMostUsd: decimalUsd(chargedAtMost),
        })),
      },
      found
        .map(
          ({ receiptId, keyName, replica, begunAt, chargedAtMost }) =>
            `${receiptId}  ${terminalSafe(keyName)}: started by ${terminalSafe(replica ?? 'a stopped replica')} at ${formatMinute(begunAt)}, receipt missing, charged ${formatUsd(chargedAtMost.toString())}`,
        )
        .join('\n') || 'No receipt is missing.',
    )
  })
}

/** `sotto database keys list`. */
export function listSharedKeys(options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const keys = await listKeysWithAmounts(database)
    print(
      options.json,
      { keys: keys.map(sharedKeyJson) },
      keys
        .map(({ id, name, limits: { budget }, spent, reserved, revokedAt }) => {
          const used = `${formatRecordedUsd(spent.toString())} spent${budget ? ` of ${formatUsd(budget.picoUsd.toString())} ${periodNames[budget.period]}` : ''}`
          const running = reserved === 0n ? '' : `, ${formatUsd(reserved.toString())} reserved`
          return `${id}  ${terminalSafe(name)}: ${revokedAt === undefined ? '' : 'revoked, '}${used}${running}`
        })
        .join('\n') || 'There is no key. Create one with: sotto database keys add',
    )
  })
}

/** `sotto database keys add`: prints only the secret on standard output, once. */
export function addSharedKey(
  name: string,
  limits: KeyLimitsText,
  { owner, ...options }: DatabaseOptions & { readonly owner?: string },
): Promise<number> {
  return withShared(options, async (database) => {
    const { secret, hash } = newLocalKey()
    const key = { name, hash, limits: readKeyLimits(limits) }
    const id = await (owner === undefined ? createKey(database, key) : createKeyOf(database, owner, key))
    print(options.json, { key: { id, name }, secret }, secret)
    if (!options.json) process.stderr.write('Copy the key now. It isn’t shown again.\n')
  })
}

/** `sotto database keys revoke`. */
export function revokeSharedKey(nameOrId: string, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const id = await revokeKey(database, nameOrId)
    print(options.json, { id }, 'Revoked. Every replica refuses the key within a second.')
  })
}

/** Runs a command with a connection to the database. Returns the exit code. */
export function withShared(
  options: DatabaseOptions,
  work: (database: Database) => Promise<void>,
): Promise<number> {
  return reporting(options, async () => {
    await withDatabase(await readDatabaseAddress(options.database, process.env), work)
  })
}

async function reporting({ json }: DatabaseOptions, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (thrown) {
    return exitOfThrown(thrown, json)
  }
}
