import { t } from '@lingui/core/macro'
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
  waiting: { get name() { return t`Waiting for payment` }, get means() { return t`Sotto goes on asking the service whether it was paid.` } },
  paying: { get name() { return t`The wallet is paying` }, get means() { return t`This can take minutes. It cannot be taken back, and nothing is paid twice.` } },
  held: { get name() { return t`Held` }, get means() { return t`The wallet has locked the money and waits for the other side. Leave it: it is paid or given back.` } },
  'payment-unknown': { get name() { return t`Not known yet` }, get means() { return t`The wallet has not said whether it paid. It is asked again; until it says so, this is not paid again.` } },
  sent: { get name() { return t`Sent by the wallet` }, get means() { return t`The wallet paid. The service has not said yet that it arrived.` } },
  processing: { get name() { return t`Payment seen` }, get means() { return t`The service has seen the payment and waits until it is confirmed.` } },
  settled: { get name() { return t`Paid` }, get means() { return t`It is on the account.` } },
  'run-out': { get name() { return t`Time is up` }, get means() { return t`Do not pay it any more. The service is asked whether it was paid in time.` } },
  expired: { get name() { return t`Expired` }, get means() { return t`It was not paid in time. Do not pay it any more.` } },
  invalid: { get name() { return t`Invalid` }, get means() { return t`The service does not take it any more. If it was paid, ask the service about it by its number.` } },
  'not-as-asked': { get name() { return t`Not as asked` }, get means() { return t`The service’s invoice is not what was asked for. It is not shown for paying.` } },
  unknown: { get name() { return t`Not known` }, get means() { return t`The service says something of it that Sotto does not know. Do not pay it.` } },
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
