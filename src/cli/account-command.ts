import { Command, InvalidArgumentError } from 'commander'
import { accountNameSchema } from '../shared/service-account.ts'

interface Output {
  readonly json: boolean
}

interface Passphrase {
  readonly passphraseFile?: string
}

/** `sotto account …`: the accounts at the service that are kept here. */
export function accountCommand(): Command {
  const account = new Command('account').description('the accounts at the service: list, make, connect, choose, save and forget them')

  account
    .command('list', { isDefault: true })
    .description('the accounts that are kept here, and which one pays')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: Output) => {
      process.exitCode = await (await import('./account.ts')).listAccounts(options)
    })

  account
    .command('create')
    .description('have the service make an account, use it, and print its credentials, once; in a terminal, or with --json')
    .option('--name <name>', 'what to call it here', toName)
    .option('--json', 'print one line of JSON', false)
    .action(async (options: Output & { name?: string }) => {
      process.exitCode = await (await import('./account.ts')).createAccount(options)
    })

  account
    .command('connect')
    .description('keep and use an account that exists: its key is asked for, or is the first line of standard input, and its credit id the second')
    .option('--name <name>', 'what to call it here', toName)
    .option('--json', 'print one line of JSON', false)
    .action(async (options: Output & { name?: string }) => {
      process.exitCode = await (await import('./account.ts')).connectAccount(options)
    })

  account
    .command('use')
    .description('pay from this account, or from none; the others stay kept')
    .argument('<account>', 'its id, or its name; "none" for no account')
    .option('--json', 'print one line of JSON', false)
    .action(async (which: string, options: Output) => {
      process.exitCode = await (await import('./account.ts')).activateAccount(which, options)
    })

  account
    .command('backup')
    .description('save all accounts in one file, encrypted under a passphrase of its own; it is confirmed first')
    .requiredOption('--output <file>', 'a file that does not exist yet')
    .option('--passphrase-file <file>', 'read the passphrase there instead of asking for it')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: Output & Passphrase & { output: string }) => {
      process.exitCode = await (await import('./account-backup.ts')).backUpAccounts(options)
    })

  account
    .command('restore')
    .description('add the accounts of a backup to those that are kept here')
    .argument('<file>', 'what `sotto account backup`, or the window, saved')
    .option('--passphrase-file <file>', 'read the passphrase there instead of asking for it')
    .option('--json', 'print one line of JSON', false)
    .action(async (file: string, options: Output & Passphrase) => {
      process.exitCode = await (await import('./account-backup.ts')).restoreAccounts(file, options)
    })

  account
    .command('forget')
    .description('take an account out of the vault; without a copy elsewhere, what was paid in is lost. It is confirmed first')
    .argument('<account>', 'its id, or its name')
    .option('--json', 'print one line of JSON', false)
    .action(async (which: string, options: Output) => {
      process.exitCode = await (await import('./account.ts')).forgetAccount(which, options)
    })

  return account
}

function toName(text: string): string {
  const name = accountNameSchema.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('A name has 1 to 40 characters that can be seen.')
  return name.data
}
