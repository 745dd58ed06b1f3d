import { topupStatus } from '../shared/topup-status.ts'
import type { Topup, TopupMethodName } from '../shared/topup.ts'
import { print } from './with-client.ts'
import { exits } from './exit-codes.ts'
import type { ContractClient } from './client.ts'
import { followTopup } from './follow-topup.ts'
import { formatSecond, terminalSafe } from './format.ts'
import { jsonLine } from './json-output.ts'
import { withStoppableClient } from './stoppable.ts'
import { ProgressLine } from './studio/follow-job.ts'
import { chooseQrStyle, drawQr } from './terminal-qr.ts'
import { methodLine, paymentLines, topupLine } from './topup-words.ts'

export interface TopupOptions {
  /** Decimal text. */
  readonly amount?: string
  readonly currency: Topup['currency']
  readonly method: TopupMethodName
  readonly wait: boolean
  /** True or false if asked for; undefined shows the code in a terminal only. */
  readonly qr?: boolean
  readonly json: boolean
}

/** Exit codes of `sotto topup`. Without --wait, a created top-up is `done`. */
const topupExit = { ...exits, expired: 3, invalid: 4 } as const

/** `sotto topup`. Returns the exit code. The first Ctrl-C stops it in order, the second at once. */
export function topup(options: TopupOptions): Promise<number> {
  return withStoppableClient(options.json, (client, signal) => runTopup(client, options, signal))
}

/**
 * Does the work of `sotto topup` with a client. Without an amount it lists the payment methods and creates nothing.
 *
 * @param signal stops it; a created top-up remains
 * @returns the exit code
 */
export async function runTopup(
  client: ContractClient,
  options: TopupOptions,
  signal: AbortSignal,
): Promise<number> {
  const { amount, currency, method, json, wait } = options
  if (amount === undefined) return printMethods(client, json, signal)
  const topup = await client.topups.create({ amount, currency, method }, { signal })
  await printTopup(client, topup, options)
  if (!wait) {
    if (!json) process.stderr.write('The service adds the money to the account when the payment arrives.\n')
    return topupExit.done
  }
  return waitForPayment(client, topup, options, signal)
}

async function printMethods({ topups }: ContractClient, json: boolean, signal: AbortSignal): Promise<number> {
  const methods = await topups.methods(undefined, { signal })
  print(
    json,
    { methods },
    methods.length === 0
      ? 'The service offers no payment method that Sotto supports.'
      : methods.map(methodLine).join('\n'),
  )
  if (!json)
    process.stderr.write('No top-up was created, because the amount is missing. Pass it with --amount.\n')
  return topupExit.unusable
}

async function printTopup({ accounts }: ContractClient, topup: Topup, options: TopupOptions): Promise<void> {
  const { json } = options
  const account = json ? undefined : (await accounts.list()).find(({ id }) => id === topup.accountId)
  print(json, { topup }, terminalSafe(paymentLines(topup, account?.name).join('\n')))
  printQr(topup, options)
  if (!json && !topup.payable)
    process.stderr.write('Demo mode uses simulated money. Real wallets can’t pay this.\n')
  if (!json && topup.payable && topup.method !== 'btc-lightning')
    process.stderr.write('Send exactly this amount to this address, in this coin only.\n')
}

/** A program reads the line of JSON on standard output, so the code is then on standard error. */
function printQr({ uri }: Topup, { json, qr }: TopupOptions): void {
  if (uri === undefined || !(qr ?? (!json && process.stdout.isTTY))) return
  const stream = json ? process.stderr : process.stdout
  const { lines, width } = drawQr(uri, chooseQrStyle(stream.isTTY, process.env))
  // A wrapped code can't be scanned. Some terminals report no width.
  if (stream.isTTY && stream.columns > 0 && stream.columns < width)
    process.stderr.write(
      `The terminal is too narrow for the QR code, which needs ${String(width)} columns.\n`,
    )
  else stream.write(`\n${lines.join('\n')}\n\n`)
}

async function waitForPayment(
  client: ContractClient,
  topup: Topup,
  options: TopupOptions,
  signal: AbortSignal,
): Promise<number> {
  const { json } = options
  const progress = new ProgressLine(process.stderr)
  let shown = json ? jsonLine({ topup }) : topupLine(topup)
  let restPrinted = false
  const onChange = (changed: Topup): void => {
    const line = json ? jsonLine({ topup: changed }) : topupLine(changed)
    if (line === shown) return
    shown = line
    progress.end()
    process.stdout.write(`${json ? line : terminalSafe(line)}\n`)
    // The first code asks for the whole amount.
    if (!restPrinted && topupStatus(changed, Date.now()) === 'part-paid' && changed.uri !== undefined) {
      restPrinted = true
      printQr(changed, options)
    }
    progress.show(changed.state === 'processing' ? 'Waiting for confirmation…' : 'Waiting for payment…')
  }
  progress.show('Waiting for payment…')
  try {
    const last = await followTopup(client, topup, { onChange, signal })
    progress.end()
    return exitOf(last)
  } catch (thrown) {
    progress.end()
    if (!signal.aborted) throw thrown
    const { expiresAt } = topup
    process.stderr.write(
      `Stopped waiting. ${expiresAt === undefined || expiresAt <= Date.now() ? 'The top-up is saved.' : `The top-up is saved, and can be paid until ${formatSecond(expiresAt)}.`}\n`,
    )
    return topupExit.interrupted
  }
}

function exitOf(topup: Topup): number {
  switch (topupStatus(topup, Date.now())) {
    case 'settled':
    case 'overpaid':
      return topupExit.done
    case 'waiting':
    case 'part-paid':
    case 'run-out':
    case 'expired':
    case 'part-paid-ended':
    case 'paid-late':
      return topupExit.expired
    default:
      return topupExit.invalid
  }
}
