import { Command, InvalidArgumentError, Option } from 'commander'
import { topupMethodNames, type Topup } from '../shared/topup.ts'
import { addExamples } from './help.ts'
import type { TopupOptions } from './topup.ts'

const currencies: readonly Topup['currency'][] = ['USD', 'SATS', 'BTC']

/** `sotto topup`: adds funds to the active account. */
export function topupCommand(): Command {
  const command = new Command('topup')
    .summary('Add funds to the active account')
    .description(
      'Add funds to the active account. Sotto prints the amount to pay, the invoice or address, and a QR code. Without --amount, it lists the payment methods with their limits.',
    )
    .option('--amount <number>', 'Amount to add, such as 10 or 0.0005', toAmount)
    .addOption(
      new Option('--currency <currency>', 'Currency of the amount')
        .choices(currencies)
        .argParser(toCurrency)
        .default('USD'),
    )
    .addOption(
      new Option('--method <method>', 'Payment method').choices(topupMethodNames).default('btc-lightning'),
    )
    .option('--wait', 'Wait until the top-up is paid, expired, or invalid, and print each change', false)
    .option(
      '--qr',
      'Print a QR code. With --json, it’s printed on standard error (default: only in a terminal, without --json)',
    )
    .option('--no-qr', 'Print no QR code')
    .option('--json', 'Print one line of JSON. With --wait, also one for each change', false)
    .addHelpText(
      'after',
      `
Exit codes:
  0    The top-up was created. With --wait: it was paid
  1    Refused or failed. The error code gives the reason
  2    The amount is missing or outside the limits. Nothing was created
  3    With --wait: it expired without the whole payment
  4    With --wait: it’s invalid, refunded, or replaced, or its status is unknown
  130  Stopped with Ctrl-C. A created top-up can still be paid`,
    )
    .action(async (options: TopupOptions) => {
      process.exitCode = await (await import('./topup.ts')).topup(options)
    })
  return addExamples(
    command,
    'sotto topup',
    'sotto topup --amount 10',
    'sotto topup --amount 50000 --currency SATS --wait',
    'sotto topup --amount 25 --method xmr --json',
  )
}

function toAmount(text: string): string {
  if (!/^\d{1,12}(?:\.\d{1,8})?$/.test(text))
    throw new InvalidArgumentError('Use a plain number, such as 10 or 0.0005.')
  return text
}

function toCurrency(text: string): Topup['currency'] {
  const currency = currencies.find((known) => known === text.toUpperCase())
  if (currency === undefined) throw new InvalidArgumentError('Use USD, SATS, or BTC.')
  return currency
}
