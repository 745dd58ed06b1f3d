import { Command, InvalidArgumentError } from 'commander'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import { addExamples } from './help.ts'
import type { Output } from './json-output.ts'

type LimitOptions = { readonly json: boolean } & { readonly [Name in keyof SpendingLimitsText]?: string }

/** `sotto wallet …`: the Lightning wallet and its payments. */
export function walletCommand(): Command {
  const wallet = new Command('wallet').description(
    'Manage the Lightning wallet, its limits, and its payments',
  )

  addExamples(
    wallet
      .command('show', { isDefault: true })
      .description('Show the connected wallet, its limits, and what was spent')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).showWallet(options)
      }),
    'sotto wallet show',
  )

  addExamples(
    wallet
      .command('connect')
      .summary('Connect a wallet')
      .description(
        'Connect a wallet. Sotto asks for the connection string (nostr+walletconnect://…) or reads it from standard input. You confirm this in the terminal that runs Sotto or in a system dialog.',
      )
      .option('--sandbox', 'Connect the demo wallet, which holds no real money', false)
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: { json: boolean; sandbox: boolean }) => {
        process.exitCode = await (await import('./wallet.ts')).connectWallet(options)
      }),
    'sotto wallet connect',
    'sotto wallet connect --sandbox',
  )

  addExamples(
    wallet
      .command('disconnect')
      .summary('Disconnect the wallet')
      .description('Disconnect the wallet. Remove the connection in the wallet app, too.')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).disconnectWallet(options)
      }),
    'sotto wallet disconnect',
  )

  addExamples(
    wallet
      .command('limits')
      .summary('Change spending limits')
      .description(
        'Change spending limits. Amounts are in satoshis (sats), and 0 allows no payments. If you raise a limit, you confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .option('--per-payment <sat>', 'Limit for each payment, in sats', toMsat)
      .option('--per-day <sat>', 'Limit for any 24 hours, in sats', toMsat)
      .option('--per-host-and-day <sat>', 'Limit for any 24 hours at one service, in sats', toMsat)
      .option('--automatic-up-to <sat>', 'Limit for paying a known service without asking, in sats', toMsat)
      .option('--json', 'Print one line of JSON', false)
      .action(async ({ json, ...limits }: LimitOptions) => {
        process.exitCode = await (await import('./wallet.ts')).setLimits(limits, { json })
      }),
    'sotto wallet limits --per-payment 20000 --per-day 50000',
  )

  addExamples(
    wallet
      .command('payments')
      .summary('List payments over Lightning, newest first')
      .description(
        'List requests paid over Lightning, newest first, and top-ups whose payment has an unknown outcome.',
      )
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).listPayments(options)
      }),
    'sotto wallet payments',
  )

  addExamples(
    wallet
      .command('retry')
      .summary('Retry delivery of a paid request')
      .description('Retry delivery of a paid request. Nothing is paid again.')
      .argument('<id>', 'ID from "sotto wallet payments", or its first characters (at least 4)')
      .option('--json', 'Print one line of JSON', false)
      .action(async (id: string, options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).retryDelivery(id, options)
      }),
    'sotto wallet retry 3f9a',
  )

  addExamples(
    wallet
      .command('give-up')
      .summary('Stop retrying an undelivered request, or close a payment')
      .description(
        'Stop retrying a request that was paid and not delivered, or close a payment of a request or top-up whose outcome is unknown. A proof of payment stays saved, or still counts if it arrives later. You confirm this in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<id>', 'ID from "sotto wallet payments", or its first characters (at least 4)')
      .option('--json', 'Print one line of JSON', false)
      .action(async (id: string, options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).abandonPayment(id, options)
      }),
    'sotto wallet give-up 3f9a',
  )

  addExamples(
    wallet
      .command('proof')
      .summary('Print the proof of payment')
      .description(
        'Print the proof of payment, to make a claim. You confirm this in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<id>', 'ID from "sotto wallet payments", or its first characters (at least 4)')
      .option('--json', 'Print one line of JSON', false)
      .action(async (id: string, options: Output) => {
        process.exitCode = await (await import('./wallet.ts')).showProof(id, options)
      }),
    'sotto wallet proof 3f9a',
  )

  return wallet
}

/** Parses an amount in sats, and returns it in msat. */
export function toMsat(text: string): string {
  const match = /^(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text.replaceAll(/[,_]/g, ''))
  if (!match) throw new InvalidArgumentError('Use an amount in satoshis, such as 20000.')
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(3, '0')).toString()
}
