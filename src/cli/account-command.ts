import { Command, InvalidArgumentError } from 'commander'
import { accountNameSchema } from '../shared/service-account.ts'
import { addExamples } from './help.ts'
import type { Output } from './json-output.ts'

interface Passphrase {
  readonly passphraseFile?: string
}

/** `sotto account …`: the accounts at the service that are saved on this computer. */
export function accountCommand(): Command {
  const account = new Command('account').description('Manage accounts at the service')

  addExamples(
    account
      .command('list', { isDefault: true })
      .description('List the saved accounts and show which one is active')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        process.exitCode = await (await import('./account.ts')).listAccounts(options)
      }),
    'sotto account list',
    'sotto account list --json',
  )

  addExamples(
    account
      .command('create')
      .summary('Create an account and make it active')
      .description(
        'Create an account and make it active. Its credentials are printed once, in a terminal or with --json.',
      )
      .option('--name <name>', 'Name of the account in Sotto, 1 to 40 characters', toName)
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output & { name?: string }) => {
        process.exitCode = await (await import('./account.ts')).createAccount(options)
      }),
    'sotto account create --name Work',
  )

  addExamples(
    account
      .command('connect')
      .summary('Connect an existing account and make it active')
      .description(
        'Connect an existing account and make it active. Sotto asks for its API key and credit ID, or reads them from standard input. The key is the first line, the credit ID the second. A provider without a service has no credit IDs.',
      )
      .option('--name <name>', 'Name of the account in Sotto, 1 to 40 characters', toName)
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output & { name?: string }) => {
        process.exitCode = await (await import('./account.ts')).connectAccount(options)
      }),
    'sotto account connect --name Work',
    'sotto account connect < credentials.txt',
  )

  addExamples(
    account
      .command('use')
      .summary('Choose the account that pays')
      .description('Choose the account that pays. The other accounts stay saved.')
      .argument('<account>', 'Account ID or name, or "none" for no account')
      .option('--json', 'Print one line of JSON', false)
      .action(async (which: string, options: Output) => {
        process.exitCode = await (await import('./account.ts')).activateAccount(which, options)
      }),
    'sotto account use Work',
    'sotto account use none',
  )

  addExamples(
    account
      .command('backup')
      .summary('Save all accounts in an encrypted file')
      .description(
        'Save all accounts in a file, encrypted with a passphrase that you choose. You confirm this in the terminal that runs Sotto or in a system dialog.',
      )
      .requiredOption('--output <file>', 'New file for the backup')
      .option('--passphrase-file <file>', 'Read the passphrase from this file')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output & Passphrase & { output: string }) => {
        process.exitCode = await (await import('./account-backup.ts')).backUpAccounts(options)
      }),
    'sotto account backup --output accounts.json',
  )

  addExamples(
    account
      .command('restore')
      .description('Restore the accounts of a backup')
      .argument('<file>', 'Backup file saved by "sotto account backup" or by the window')
      .option('--passphrase-file <file>', 'Read the passphrase from this file')
      .option('--json', 'Print one line of JSON', false)
      .action(async (file: string, options: Output & Passphrase) => {
        process.exitCode = await (await import('./account-backup.ts')).restoreAccounts(file, options)
      }),
    'sotto account restore accounts.json',
  )

  addExamples(
    account
      .command('forget')
      .summary('Remove an account from this computer')
      .description(
        'Remove an account from this computer. Without a copy of its credentials, its balance is lost. You confirm this in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<account>', 'Account ID or name')
      .option('--json', 'Print one line of JSON', false)
      .action(async (which: string, options: Output) => {
        process.exitCode = await (await import('./account.ts')).forgetAccount(which, options)
      }),
    'sotto account forget Work',
  )

  return account
}

function toName(text: string): string {
  const name = accountNameSchema.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('Use 1 to 40 visible characters.')
  return name.data
}

/** `sotto balance`: the balance of the active account. */
export function balanceCommand(): Command {
  const command = new Command('balance')
    .summary('Show the balance of the active account')
    .description('Show the balance of the active account in US dollars, to the last digit.')
    .option('--json', 'Print one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  The balance was printed\n  1  No account is active, or the service didn’t report the balance',
    )
    .action(async (options: Output) => {
      process.exitCode = await (await import('./account.ts')).showBalance(options)
    })
  return addExamples(command, 'sotto balance', 'sotto balance --json')
}
