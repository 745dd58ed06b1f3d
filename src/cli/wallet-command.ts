import { Command, InvalidArgumentError } from 'commander'
import type { SpendingLimitsText } from '../shared/lightning.ts'

type LimitOptions = { readonly json: boolean } & { readonly [Name in keyof SpendingLimitsText]?: string }

/** `sotto wallet …`: the Lightning wallet that pays, and what it paid for. */
export function walletCommand(): Command {
  const wallet = new Command('wallet').description('the Lightning wallet that pays for single requests and invoices: its connection, limits and payments')

  wallet
    .command('show', { isDefault: true })
    .description('which wallet is connected, what may be spent and what was')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).showWallet(options)
    })

  wallet
    .command('connect')
    .description('connect the wallet whose connection (nostr+walletconnect://…) is given on standard input; it is confirmed first')
    .option('--sandbox', 'the sandbox’s own wallet, which holds play money', false)
    .option('--json', 'print one line of JSON', false)
    .action(async (options: { json: boolean; sandbox: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).connectWallet(options)
    })

  wallet
    .command('disconnect')
    .description('forget the wallet’s connection; remove it in the wallet as well')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).disconnectWallet(options)
    })

  wallet
    .command('limits')
    .description('change what may be spent, in satoshis; 0 allows nothing, and to raise a limit is confirmed')
    .option('--per-payment <sat>', 'at once', toMsat)
    .option('--per-day <sat>', 'within any 24 hours', toMsat)
    .option('--per-host-and-day <sat>', 'within any 24 hours, at one service', toMsat)
    .option('--automatic-up-to <sat>', 'without asking, at a service that was paid before', toMsat)
    .option('--json', 'print one line of JSON', false)
    .action(async ({ json, ...limits }: LimitOptions) => {
      process.exitCode = await (await import('./wallet.ts')).setLimits(limits, { json })
    })

  wallet
    .command('payments')
    .description('single requests that were paid for, the newest first')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).listPayments(options)
    })

  wallet
    .command('retry')
    .description('have delivered what was paid for and not delivered; nothing is paid again')
    .argument('<id>', 'of `sotto wallet payments`, or its beginning')
    .option('--json', 'print one line of JSON', false)
    .action(async (id: string, options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).retryDelivery(id, options)
    })

  wallet
    .command('give-up')
    .description('no longer ask for what was paid and not delivered; the proof stays, and it is confirmed first')
    .argument('<id>', 'of `sotto wallet payments`, or its beginning')
    .option('--json', 'print one line of JSON', false)
    .action(async (id: string, options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).giveUpPayment(id, options)
    })

  wallet
    .command('proof')
    .description('what shows that it was paid, for a claim; it is confirmed first')
    .argument('<id>', 'of `sotto wallet payments`, or its beginning')
    .option('--json', 'print one line of JSON', false)
    .action(async (id: string, options: { json: boolean }) => {
      process.exitCode = await (await import('./wallet.ts')).showProof(id, options)
    })

  return wallet
}

function toMsat(text: string): string {
  const match = /^(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text.replaceAll(/[,_]/g, ''))
  if (!match) throw new InvalidArgumentError('A limit is an amount in satoshis, such as 20000.')
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(3, '0')).toString()
}
