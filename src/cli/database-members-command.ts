import { Option, type Command } from 'commander'
import { databaseOptions, toEmail, type DatabaseOptions } from './database-options.ts'
import type { MemberRole } from './database-members.ts'
import { addExamples } from './help.ts'

const EMAIL_HELP = 'Email address as the identity provider states it'

/** Adds the commands for the members of a team. The admin page does the rest. */
export function addMemberCommands(database: Command): void {
  const members = database.command('members').description('Manage the members of a team')
  addExamples(
    databaseOptions(
      members.command('list', { isDefault: true }).description('List members with their roles'),
    ).action(async (options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-members.ts')).listTeam(options)
    }),
    'sotto database members list',
  )
  addExamples(
    databaseOptions(
      members
        .command('add')
        .summary('Add a member')
        .description(
          'Add an email address that can sign in to the admin page. The identity provider must have verified it. The first sign-in binds the member to that account of the provider.',
        )
        .argument('<email>', EMAIL_HELP, toEmail)
        .addOption(
          new Option('--role <role>', 'Role of the member')
            .choices(['admin', 'auditor', 'member'])
            .default('member'),
        ),
    ).action(async (email: string, options: DatabaseOptions & { readonly role: MemberRole }) => {
      process.exitCode = await (await import('./database-members.ts')).admit(email, options)
    }),
    'sotto database members add ann@example.com --role admin',
  )
  addExamples(
    databaseOptions(
      members
        .command('remove')
        .summary('Remove a member')
        .description('Remove a member, end their sessions and revoke their keys.')
        .argument('<email>', EMAIL_HELP, toEmail),
    ).action(async (email: string, options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-members.ts')).dismiss(email, options)
    }),
    'sotto database members remove ann@example.com',
  )
}
