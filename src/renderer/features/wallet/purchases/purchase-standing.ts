import { t } from '@lingui/core/macro'
import type { PurchaseStatus } from '../../../../shared/purchase-status.ts'

/** Each as a name and, where there is more to know, what it means. Only `failed`, `expired` and `declined` say that nothing was paid. */
export const standingWords: Readonly<Record<PurchaseStatus, { readonly name: string; readonly means?: string }>> = {
  quoted: { get name() { return t`Price named` } },
  'run-out': { get name() { return t`Price has run out` }, get means() { return t`The service takes this price no longer. Do not pay its invoice any more: ask again instead.` } },
  declined: { get name() { return t`Not bought` }, get means() { return t`Nothing was paid.` } },
  paying: { get name() { return t`In flight` }, get means() { return t`The wallet was asked to pay and has not answered yet. This can take minutes. It cannot be taken back, and nothing is paid twice; you can leave this page.` } },
  held: { get name() { return t`Held` }, get means() { return t`The wallet has locked the money and waits for the other side: it is paid or given back. It counts as spent until then, and nothing is paid twice.` } },
  unknown: { get name() { return t`Not known yet` }, get means() { return t`The wallet has not said yet whether it paid. It is asked again by itself. Until it says so the money counts as spent, and nothing is paid twice.` } },
  failed: { get name() { return t`Not paid` }, get means() { return t`The payment failed for certain: no money moved.` } },
  expired: { get name() { return t`Expired` }, get means() { return t`It was not paid in time. Nothing was paid.` } },
  paid: { get name() { return t`Paid` }, get means() { return t`The service is shown the proof of payment, and asked for what was bought.` } },
  making: { get name() { return t`Being made` }, get means() { return t`It is paid, and the service is making it. This can take minutes; it goes on when you leave.` } },
  'not-made': { get name() { return t`Paid, and not made` }, get means() { return t`The service took the payment and then said that making it failed. Lightning knows no refunds: the exported proof is what a claim rests on.` } },
  delivered: { get name() { return t`Delivered` } },
  undelivered: { get name() { return t`Paid, not delivered` }, get means() { return t`You paid, but the service didn’t deliver. The proof of payment is saved.` } },
  'given-up': { get name() { return t`Paid, not delivered (stopped)` }, get means() { return t`You paid, but the service didn’t deliver. You stopped retrying. The proof of payment is saved.` } },
}
