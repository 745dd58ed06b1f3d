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
  waiting: { get name() { return t`Waiting for payment` }, get means() { return t`Sotto keeps checking whether it was paid.` } },
  paying: { get name() { return t`Payment in progress` }, get means() { return t`This can take minutes and can’t be undone. Nothing is paid twice.` } },
  held: { get name() { return t`Held` }, get means() { return t`The wallet locked the money and is waiting for the recipient. Don’t pay again: the payment either completes or is returned.` } },
  'payment-unknown': { get name() { return t`Outcome unknown` }, get means() { return t`The wallet hasn’t reported whether it paid. Sotto keeps checking. Until the outcome is known, this isn’t paid again.` } },
  sent: { get name() { return t`Sent by wallet` }, get means() { return t`The wallet paid. The service hasn’t confirmed receipt yet.` } },
  processing: { get name() { return t`Payment detected` }, get means() { return t`The service detected the payment and is waiting for confirmation.` } },
  settled: { get name() { return t({ message: 'Paid', context: 'top-up' }) }, get means() { return t`Added to the account’s balance.` } },
  'run-out': { get name() { return t`Time’s up` }, get means() { return t`Don’t pay it anymore. Sotto is checking whether it was paid in time.` } },
  expired: { get name() { return t({ message: 'Expired', context: 'top-up' }) }, get means() { return t`It wasn’t paid in time. Don’t pay it anymore.` } },
  invalid: { get name() { return t`Invalid` }, get means() { return t`The service no longer accepts this invoice. If you paid it, contact the service with the top-up ID.` } },
  'not-as-asked': { get name() { return t`Doesn’t match request` }, get means() { return t`The service’s invoice doesn’t match your request. Sotto doesn’t show it for payment.` } },
  unknown: { get name() { return t`Unknown` }, get means() { return t`The service reported a status that Sotto doesn’t recognize. Don’t pay this invoice.` } },
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
