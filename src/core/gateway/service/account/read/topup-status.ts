import { msg } from '../../../../../shared/localized-text.ts'
import {
  checked,
  jsonAnswer,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../http/perform.ts'
import { invoiceIdSchema, topupInvoiceSchema, type TopupInvoice } from '../topup-invoice.ts'

/**
 * `GET /topup/status/{invoice_id}` (specification, Account funding and balance). Some days after its end,
 * service/not-found.
 */
function topupStatusRequest(invoiceId: string): ServiceRequest<TopupInvoice> {
  return {
    method: 'GET',
    target: { path: `/topup/status/${checked(invoiceIdSchema, invoiceId)}` },
    auth: 'key',
    repeatable: true,
    read: jsonAnswer(topupInvoiceSchema, msg('The response isn’t a top-up status.')),
  }
}

/**
 * Reads the state of an invoice. The caller checks that the answer is about this invoice.
 * @throws {SottoError} request/invalid – before anything is sent; service/not-found; service/…
 */
export async function readTopupStatus(
  service: Service,
  invoiceId: string,
  options: CallOptions = {},
): Promise<TopupInvoice> {
  return perform(service, topupStatusRequest(invoiceId), options)
}
