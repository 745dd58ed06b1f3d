import { t } from '@lingui/core/macro'
import { topupStatus, type TopupStatus } from '../../../../shared/topup-status.ts'
import type { Topup } from '../../../../shared/topup.ts'

export const statusText: Readonly<Record<TopupStatus, { readonly name: string; readonly means: string }>> = {
  waiting: {
    get name() {
      return t`Waiting for payment`
    },
    get means() {
      return t`Sotto keeps checking whether it was paid.`
    },
  },
  'part-paid': {
    get name() {
      return t`Partly paid`
    },
    get means() {
      return t`A part of the amount arrived. Don’t pay the whole amount again.`
    },
  },
  paying: {
    get name() {
      return t`Payment in progress`
    },
    get means() {
      return t`This can take minutes and can’t be undone. Nothing is paid twice.`
    },
  },
  held: {
    get name() {
      return t`Held`
    },
    get means() {
      return t`The wallet locked the money and is waiting for the recipient. Don’t pay again: the payment either completes or is returned.`
    },
  },
  'payment-unknown': {
    get name() {
      return t`Outcome unknown`
    },
    get means() {
      return t`The wallet hasn’t reported whether it paid. Sotto keeps checking. Until the outcome is known, this isn’t paid again.`
    },
  },
  'payment-closed': {
    get name() {
      return t`Payment closed`
    },
    get means() {
      return t`You closed the payment without a known outcome. The wallet may still make it, so this invoice isn’t paid again.`
    },
  },
  sent: {
    get name() {
      return t`Sent by wallet`
    },
    get means() {
      return t`The wallet paid. The service hasn’t confirmed receipt yet.`
    },
  },
  processing: {
    get name() {
      return t`Payment detected`
    },
    get means() {
      return t`The service detected the payment and is waiting for confirmation.`
    },
  },
  settled: {
    get name() {
      return t({ message: 'Paid', context: 'top-up' })
    },
    get means() {
      return t`Added to the account’s balance.`
    },
  },
  overpaid: {
    get name() {
      return t`Overpaid`
    },
    get means() {
      return t`More than the amount arrived. If the balance doesn’t include the difference, contact the service with the top-up ID.`
    },
  },
  'run-out': {
    get name() {
      return t`Time’s up`
    },
    get means() {
      return t`Don’t pay it anymore. Sotto is checking whether it was paid in time.`
    },
  },
  expired: {
    get name() {
      return t({ message: 'Expired', context: 'top-up' })
    },
    get means() {
      return t`It wasn’t paid in time. Don’t pay it anymore.`
    },
  },
  'part-paid-ended': {
    get name() {
      return t`Partly paid`
    },
    get means() {
      return t`A part arrived in time, but not the whole amount. Don’t send more. Contact the service with the top-up ID.`
    },
  },
  'paid-late': {
    get name() {
      return t`Paid late`
    },
    get means() {
      return t`The payment arrived after the invoice expired. Sotto keeps checking. To ask about it, contact the service with the top-up ID.`
    },
  },
  refunded: {
    get name() {
      return t({ message: 'Refunded', context: 'top-up' })
    },
    get means() {
      return t`The service reports that it sent the money back. Don’t pay this invoice.`
    },
  },
  replaced: {
    get name() {
      return t`Replaced`
    },
    get means() {
      return t`The service replaced this invoice. Don’t pay it. If you paid it, contact the service with the top-up ID.`
    },
  },
  invalid: {
    get name() {
      return t`Invalid`
    },
    get means() {
      return t`The service no longer accepts this invoice. If you paid it, contact the service with the top-up ID.`
    },
  },
  'not-as-asked': {
    get name() {
      return t`Doesn’t match request`
    },
    get means() {
      return t`The service’s invoice doesn’t match your request. Sotto doesn’t show it for payment.`
    },
  },
  unknown: {
    get name() {
      return t`Unknown`
    },
    get means() {
      return t`The service reported a status that Sotto doesn’t recognize. Don’t pay this invoice.`
    },
  },
}

/**
 * Whether the window may show the invoice for payment. In every other state, showing it could cause a second
 * payment.
 */
export function mayBePaid(topup: Topup, now: number): topup is Topup & { uri: string } {
  const status = topupStatus(topup, now)
  return topup.uri !== undefined && (status === 'waiting' || status === 'part-paid')
}
