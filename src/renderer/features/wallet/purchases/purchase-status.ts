import { t } from '@lingui/core/macro'
import type { PurchaseStatus } from '../../../../shared/purchase-status.ts'

/**
 * The name of each state and, if useful, its meaning. Only `failed`, `expired` and `declined` state that
 * nothing was paid.
 */
export const statusText: Readonly<
  Record<PurchaseStatus, { readonly name: string; readonly means?: string }>
> = {
  quoted: {
    get name() {
      return t`Price quoted`
    },
  },
  'run-out': {
    get name() {
      return t`Price expired`
    },
    get means() {
      return t`This price has expired. Don’t pay its invoice. Get a new price instead.`
    },
  },
  declined: {
    get name() {
      return t`Canceled`
    },
    get means() {
      return t`Nothing was paid.`
    },
  },
  paying: {
    get name() {
      return t`Payment in progress`
    },
    get means() {
      return t`The wallet was asked to pay and hasn’t answered yet. This can take minutes and can’t be undone. Nothing is paid twice, and you can leave this page.`
    },
  },
  held: {
    get name() {
      return t`Held`
    },
    get means() {
      return t`The wallet locked the money and is waiting for the recipient. The payment either completes or is returned. Until then it counts as spent, and nothing is paid twice.`
    },
  },
  unknown: {
    get name() {
      return t`Outcome unknown`
    },
    get means() {
      return t`The wallet hasn’t reported whether it paid. Sotto checks again automatically. Until then the money counts as spent, and nothing is paid twice.`
    },
  },
  closed: {
    get name() {
      return t`Closed, outcome unknown`
    },
    get means() {
      return t`You closed this payment. Whether it was paid isn’t known. A proof of payment still counts.`
    },
  },
  failed: {
    get name() {
      return t`Payment failed`
    },
    get means() {
      return t`The payment failed. Nothing was paid.`
    },
  },
  expired: {
    get name() {
      return t`Expired`
    },
    get means() {
      return t`It wasn’t paid in time. Nothing was paid.`
    },
  },
  paid: {
    get name() {
      return t`Paid`
    },
    get means() {
      return t`Sotto is sending the proof of payment to the service to get your result.`
    },
  },
  making: {
    get name() {
      return t`In progress`
    },
    get means() {
      return t`You paid, and the service is working on it. This can take minutes and continues if you leave.`
    },
  },
  'not-made': {
    get name() {
      return t`Paid, generation failed`
    },
    get means() {
      return t`The service accepted the payment, then reported that generation failed. Lightning payments can’t be refunded. Export the proof to make a claim.`
    },
  },
  delivered: {
    get name() {
      return t`Delivered`
    },
  },
  undelivered: {
    get name() {
      return t`Paid, not delivered`
    },
    get means() {
      return t`You paid, but the service didn’t deliver. The proof of payment is saved.`
    },
  },
  'given-up': {
    get name() {
      return t`Paid, not delivered (stopped)`
    },
    get means() {
      return t`You paid, but the service didn’t deliver. You stopped retrying. The proof of payment is saved.`
    },
  },
}
