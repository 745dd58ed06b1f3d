import { z } from 'zod'
import { msg } from '../../../../shared/localized-text.ts'
import { checked, jsonAnswer, jsonBody, perform, type CallOptions, type Service } from '../http/perform.ts'
import { topupCurrencies, topupInvoiceSchema, topupMethods, type TopupInvoice } from './topup-invoice.ts'

const inputSchema = z.object({
  method: z.enum(topupMethods),
  amount: z.number().positive('An amount is more than nothing'),
  currency: z.enum(topupCurrencies),
})
export type TopupInput = z.input<typeof inputSchema>

/**
 * Creates an invoice: `POST /topup/create/{method}` (specification, Account funding and balance). Sent once,
 * because each answer is another invoice. `amount` is in `currency`. The caller checks that the answer matches
 * the request.
 * @throws {SottoError} request/invalid – before anything is sent; service/…
 */
export async function createTopup(
  service: Service,
  input: TopupInput,
  options: CallOptions = {},
): Promise<TopupInvoice> {
  const { method, amount, currency } = checked(inputSchema, input)
  return perform(
    service,
    {
      method: 'POST',
      target: { path: `/topup/create/${method}` },
      auth: 'key',
      body: jsonBody({ amount, currency }),
      read: jsonAnswer(topupInvoiceSchema, msg('The response isn’t a top-up invoice.')),
    },
    options,
  )
}
