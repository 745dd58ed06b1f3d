import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { topupMethodNames, topupMethodSchema, topupSchema } from '../topup.ts'
import { call, idSchema } from './call.ts'

const dollars = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/)
const one = z.object({ topupId: idSchema })

export const topupsContract = {
  methods: call.output(z.array(topupMethodSchema)),
  /** An invoice at the service for the active account, saved before it's returned. Throws `topup/amount-out-of-range`, `topup/invoice-invalid`, service/…. */
  create: call
    .input(
      z.object({
        method: z.enum(topupMethodNames),
        amount: z.string().regex(/^\d{1,12}(\.\d{1,8})?$/),
        currency: z.enum(['SATS', 'BTC', 'USD']),
      }),
    )
    .output(topupSchema),
  /** The newest first. */
  list: call.output(z.array(topupSchema)),
  /**
   * First all invoices, then each that changed. During that time Sotto polls the service for open invoices.
   */
  watch: call.output(eventIterator(z.array(topupSchema))),
  /** Asks the service about it now. */
  check: call.input(one).output(topupSchema),
  /** Pays a Lightning invoice from the connected wallet, by the rules and limits of every payment. Throws wallet/…, payment/…, confirm/…. */
  payFromWallet: call.input(one).output(topupSchema),
  /** Ends the wait for the wallet's payment of it, whose outcome isn't known, after a confirmation. Throws payment/cannot-close, confirm/…. */
  closePayment: call.input(one).output(topupSchema),
  /** Below this balance of the active account the status has a notice: dollars in decimal text, "0" for never. */
  lowBalance: call.output(z.object({ below: z.string() })),
  setLowBalance: call.input(z.object({ below: dollars })).output(z.object({ below: z.string() })),
  /** Removes an invoice that has ended from the list. Throws `topup/pending`. */
  forget: call.input(one).output(z.object({})),
}
