import { Command } from 'commander'
import { addMemberCommands } from './database-members-command.ts'
import { addTeamCommands } from './database-team-command.ts'
import { addExamples } from './help.ts'
import {
  addLimitOptions,
  limitsOf,
  requireBudget,
  toMoment,
  toName,
  type LimitOptions,
} from './key-limit-options.ts'
import { toWhole } from './option-values.ts'
import { databaseOptions, toEmail, type DatabaseOptions } from './database-options.ts'
import type { ReceiptOptions } from './database-receipts.ts'

type OwnedKeyOptions = DatabaseOptions & LimitOptions & { readonly owner?: string }

/** `sotto database …`: the database that several replicas share. */
export function databaseCommand(): Command {
  const database = new Command('database').description('Manage the database that replicas of one team share')

  addExamples(
    databaseOptions(
      database
        .command('migrate')
        .description('Create or upgrade the tables. A replica does the same when it starts'),
    ).action(async (options: DatabaseOptions) => {
      const { migrate } = await import('./database.ts')
      process.exitCode = await migrate(options)
    }),
    'sotto database migrate',
  )

  addExamples(
    databaseOptions(
      database
        .command('absences')
        .description('List the newest 100 requests whose receipt a stopped replica didn’t save'),
    ).action(async (options: DatabaseOptions) => {
      const { absences } = await import('./database.ts')
      process.exitCode = await absences(options)
    }),
    'sotto database absences --json',
  )

  addExamples(
    databaseOptions(
      database
        .command('receipts')
        .description('List receipts of all replicas, the newest first')
        .option('--key <name>', 'Only of this key: its name or ID')
        .option('--since <time>', 'Only from this time on, such as 2027-01-31', toMoment)
        .option('--limit <number>', 'At most this many (default: 100)', toWhole(1, 10_000)),
    ).action(async (options: ReceiptOptions) => {
      const { receipts } = await import('./database-receipts.ts')
      process.exitCode = await receipts(options)
    }),
    'sotto database receipts --key Ann --since 2027-01-31',
  )

  const keys = database.command('keys').description('Manage the local keys of all replicas')
  addExamples(
    databaseOptions(
      keys.command('list', { isDefault: true }).description('List local keys with their limits'),
    ).action(async (options: DatabaseOptions) => {
      const { listSharedKeys } = await import('./database.ts')
      process.exitCode = await listSharedKeys(options)
    }),
    'sotto database keys list',
  )
  addExamples(
    databaseOptions(
      addLimitOptions(keys.command('add'))
        .summary('Create a local key')
        .description('Create a local key for all replicas and print its secret once.')
        .argument('<name>', 'Name of the person or tool, 1 to 60 characters', toName)
        .option(
          '--owner <email>',
          'Email address of the member who owns the key. Its costs count in their budget and their group’s',
          toEmail,
        ),
    ).action(async (name: string, options: OwnedKeyOptions, command: Command) => {
      requireBudget(options, command)
      const { addSharedKey } = await import('./database.ts')
      process.exitCode = await addSharedKey(name, limitsOf(options), options)
    }),
    'sotto database keys add Ann --budget 20 --per month --at-least sealed',
  )
  addExamples(
    databaseOptions(
      keys
        .command('revoke')
        .summary('Revoke a local key')
        .description('Revoke a local key. Every replica refuses it within a second.')
        .argument('<name>', 'Key name or ID'),
    ).action(async (name: string, options: DatabaseOptions) => {
      const { revokeSharedKey } = await import('./database.ts')
      process.exitCode = await revokeSharedKey(name, options)
    }),
    'sotto database keys revoke Ann',
  )
  addMemberCommands(database)
  addTeamCommands(database)
  return database
}
