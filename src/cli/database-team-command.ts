import { Argument, InvalidArgumentError, type Command } from 'commander'
import { addExamples } from './help.ts'
import { toMsat } from './wallet-command.ts'
import { databaseOptions, type DatabaseOptions } from './database-options.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'

type WalletOptions = DatabaseOptions & { readonly [Name in keyof SpendingLimitsText]?: string }

/** Adds the commands for secrets, payments and releases that replicas share. All of them need the vault's key. */
export function addTeamCommands(database: Command): void {
  const vault = database.command('vault').description('Manage the secrets that replicas share')
  addExamples(
    databaseOptions(
      vault
        .command('rotate')
        .summary('Replace the vault’s key')
        .description(
          'Seal all secrets under a new key, with the current one in SOTTO_VAULT_KEY_FILE or SOTTO_VAULT_KEY_COMMAND. Then restart the replicas with the new key, one at a time.',
        )
        .argument('<file>', 'Private file with the new key: 32 bytes in base64'),
    ).action(async (file: string, options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).rotate(file, options)
    }),
    'sotto database vault rotate new-vault-key',
  )
  addExamples(
    databaseOptions(
      vault
        .command('api-key')
        .summary('Save the service’s API key')
        .description(
          'Save the API key of the service in SOTTO_SERVICE for all replicas. They read it when they start. A replica with SOTTO_API_KEY_FILE uses that key instead.',
        )
        .argument('<file>', 'Private file with the API key'),
    ).action(async (file: string, options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).setApiKey(file, options)
    }),
    'sotto database vault api-key service-api-key',
  )

  const wallet = database.command('wallet').description('Manage the Lightning wallet that replicas share')
  addExamples(
    databaseOptions(
      wallet
        .command('connect')
        .summary('Connect a wallet')
        .description(
          'Connect the wallet that pays requests without an account, and permit payments to the service in SOTTO_SERVICE. These payments aren’t confirmed, so set limits. Amounts are in satoshis (sats).',
        )
        .argument('<file>', 'Private file with the connection string (nostr+walletconnect://…)')
        .option('--per-payment <sat>', 'Limit for each payment, in sats', toMsat)
        .option('--per-day <sat>', 'Limit for any 24 hours, in sats', toMsat)
        .option('--per-host-and-day <sat>', 'Limit for any 24 hours at one service, in sats', toMsat)
        .option(
          '--automatic-up-to <sat>',
          'Limit for each automatic payment, in sats. Higher ones are refused',
          toMsat,
        ),
    ).action(async (file: string, { database: url, json, ...limits }: WalletOptions) => {
      const { connectTeamWallet } = await import('./database-team.ts')
      process.exitCode = await connectTeamWallet(file, limits, {
        json,
        ...(url !== undefined && { database: url }),
      })
    }),
    'sotto database wallet connect wallet-connection --per-day 50000',
  )

  addExamples(
    databaseOptions(
      wallet
        .command('resume')
        .summary('Resume paused payments')
        .description(
          'Let replicas pay again after three payments that the service didn’t deliver. Find out first why it delivered nothing. After three more, replicas stop again.',
        ),
    ).action(async (options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).resumeTeamPayments(options)
    }),
    'sotto database wallet resume',
  )

  const releases = database.command('releases').description('Manage the releases that replicas accept')
  addExamples(
    databaseOptions(
      releases
        .command('accept-older')
        .summary('Accept an older release')
        .description('Let all replicas use an older release of an enclave, until a newer one is verified.')
        .argument('<host>', 'Host of the enclave')
        .argument('<digest>', 'Digest of the release, 64 hex digits', toDigest),
    ).action(async (host: string, digest: string, options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).acceptOlder({ host, digest }, options)
    }),
    `sotto database releases accept-older enclave.example ${'ab'.repeat(32)}`,
  )
  addExamples(
    databaseOptions(
      releases
        .command('approval')
        .summary('Require approval of new releases')
        .description(
          'Choose whether replicas refuse a release that no replica has accepted before (on), or accept it (off). To approve such a release, use "accept-older".',
        )
        .addArgument(new Argument('<choice>', 'Whether a new release needs approval').choices(['on', 'off'])),
    ).action(async (choice: 'on' | 'off', options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).setApproval(choice === 'on', options)
    }),
    'sotto database releases approval on',
  )
  addExamples(
    databaseOptions(
      releases
        .command('pin')
        .summary('Pin releases and measurements')
        .description(
          'Accept only the releases and measurements in a JSON file, within the policy of the service in SOTTO_SERVICE. The file {} removes the pins.',
        )
        .argument('<file>', 'JSON such as {"release":{"tags":["v1.2.3"]}}'),
    ).action(async (file: string, options: DatabaseOptions) => {
      process.exitCode = await (await import('./database-team.ts')).pin(file, options)
    }),
    'sotto database releases pin pins.json',
  )
}

function toDigest(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('Use 64 hex digits.')
  return text
}
