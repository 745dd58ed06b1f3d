import type { Topup } from '../../../../shared/topup.ts'

/** What is known of a topup, with a payment of it from here. Each has a word and a shape. */
export type TopupStanding =
  | 'waiting' | 'paying' | 'held' | 'payment-unknown' | 'sent' | 'processing'
  | 'settled' | 'run-out' | 'expired' | 'invalid' | 'not-as-asked' | 'unknown'

export function standingOfTopup({ state, payment, expiresAt, problem }: Topup, now: number): TopupStanding {
  if (state === 'settled' || state === 'processing') return state
  // The wallet may have sent the money, whatever the service says of the invoice.
  if (payment === 'paying' || payment === 'held') return payment
  if (payment === 'unknown') return 'payment-unknown'
  if (payment === 'paid' || payment === 'delivered' || payment === 'undelivered') return 'sent'
  if (state === 'new' && problem !== undefined) return 'not-as-asked'
  if (state !== 'new') return state
  return expiresAt !== undefined && expiresAt <= now ? 'run-out' : 'waiting'
}

export const standingWords: Readonly<Record<TopupStanding, { readonly name: string; readonly means: string }>> = {
  waiting: { name: 'Waiting for payment', means: 'Sotto goes on asking the service whether it was paid.' },
  paying: { name: 'The wallet is paying', means: 'This can take minutes. It cannot be taken back, and nothing is paid twice.' },
  held: { name: 'Held', means: 'The wallet has locked the money and waits for the other side. Leave it: it is paid or given back.' },
  'payment-unknown': { name: 'Not known yet', means: 'The wallet has not said whether it paid. It is asked again; until it says so, this is not paid again.' },
  sent: { name: 'Sent by the wallet', means: 'The wallet paid. The service has not said yet that it arrived.' },
  processing: { name: 'Payment seen', means: 'The service has seen the payment and waits until it is confirmed.' },
  settled: { name: 'Paid', means: 'It is on the account.' },
  'run-out': { name: 'Time is up', means: 'Do not pay it any more. The service is asked whether it was paid in time.' },
  expired: { name: 'Expired', means: 'It was not paid in time. Do not pay it any more.' },
  invalid: { name: 'Invalid', means: 'The service does not take it any more. If it was paid, ask the service about it by its number.' },
  'not-as-asked': { name: 'Not as asked', means: 'The service’s invoice is not what was asked for. It is not shown for paying.' },
  unknown: { name: 'Not known', means: 'The service says something of it that Sotto does not know. Do not pay it.' },
}

/** Nobody waits for anything any more: it may go off the list. The clock alone ends none, as it may have been paid in time. */
export function hasEnded(topup: Topup): boolean {
  const standing = standingOfTopup(topup, 0)
  return standing === 'settled' || standing === 'expired' || standing === 'invalid' || standing === 'not-as-asked'
}

/** Whether it may be shown for paying. Whatever else is known or not known, a second payment must not be invited. */
export function mayBePaid(topup: Topup, now: number): topup is Topup & { uri: string } {
  return topup.uri !== undefined && standingOfTopup(topup, now) === 'waiting'
}
