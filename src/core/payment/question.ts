import { formatUsd } from '../../shared/money.ts'
import type { PaymentRecord } from './journal.ts'
import type { AskReason } from './payer.ts'
import { formatSat } from './sat.ts'

/** Controls, breaks and marks that turn text around: a service must not write the rest of a question. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const MAX_WORDS = 120

const because: Record<AskReason, (host: string) => string> = {
  'first-host': (host) => `${host} was not paid from here before.`,
  'above-automatic': () => 'It is more than what is paid without asking.',
  'no-lookup': () => 'This wallet cannot say later what became of a payment.',
  'paused': () => 'Payments went wrong lately.',
}

/** What the owner is asked before a payment: how much, to whom, for what, and that it cannot be taken back. */
export function questionOf({ purpose, amountMsat, worth, host }: PaymentRecord, reasons: readonly AskReason[], kind: 'sandbox' | 'service'): string {
  const thing = purpose.kind === 'topup' ? 'a topup of the account' : `${purpose.request.endpoint}: ${shown(purpose.subject)}`
  const said = purpose.kind === 'request' && purpose.description !== undefined ? ` The service calls it “${shown(purpose.description)}”.` : ''
  const dollars = worth === undefined ? '' : ` (about ${formatUsd(worth.toString())})`
  const unknown = worth === undefined ? ' What that is in dollars is not known here.' : ''
  const sandbox = kind === 'sandbox' ? ' This is the sandbox: no real money moves.' : ''
  return `Pay ${formatSat(amountMsat)}${dollars} over Lightning to ${host}, and the wallet’s fee, for ${thing}?${unknown}${said} ${reasons.map((reason) => because[reason](host)).join(' ')} A payment is final: nobody can take it back.${sandbox}`
}

function shown(text: string): string {
  const plain = text.replaceAll(UNSHOWN, '\ufffd')
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS)}…` : plain
}
