import { msg } from '../../../../../shared/localized-text.ts'
import { checked, jsonAnswer, perform, type CallOptions, type Service } from '../../http/perform.ts'
import { invoiceIdSchema, topupInvoiceSchema, type TopupInvoice } from '../topup-invoice.ts'

/**
 * Reads the state of an invoice: `GET /topup/status/{invoice_id}` (specification, Account funding and
 * balance). The caller checks that the answer is about this invoice.
 * @throws {SottoError} request/invalid – before anything is sent; service/not-found – also some days after
 * its end; service/…
 */
export async function readTopupStatus(
  service: Service,
  invoiceId: string,
  options: CallOptions = {},
): Promise<TopupInvoice> {
  return perform(
    service,
    {
      method: 'GET',
      target: { path: `/topup/status/${checked(invoiceIdSchema, invoiceId)}` },
      auth: 'key',
      repeatable: true,
      read: jsonAnswer(topupInvoiceSchema, msg('The response isn’t a top-up status.')),
    },
    options,
  )
}
