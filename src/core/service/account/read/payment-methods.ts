import { z } from 'zod'
import { say } from '../../../../shared/say.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../../http/perform.ts'
import { decimal, fitting, lenient, plainDecimal, text } from '../../http/wire.ts'

/** A way to top up. Limits are decimal text in the currency that names them. */
export interface PaymentMethod {
  readonly method: string
  readonly displayName: string
  readonly currencies: readonly string[]
  readonly limits: Readonly<Record<string, { readonly min?: string | undefined; readonly max?: string | undefined }>>
}

const bound = lenient(decimal.transform((value) => plainDecimal(value)))
const methodSchema = z
  .object({
    method: z.string().regex(/^[a-z0-9-]{1,40}$/),
    display_name: lenient(text(100)),
    supported_currencies: lenient(z.array(text(20)).max(50)),
    limits: lenient(z.record(z.string().max(20), z.object({ min: bound, max: bound }))),
  })
  .transform((entry): PaymentMethod => ({
    method: entry.method,
    displayName: entry.display_name ?? entry.method,
    currencies: entry.supported_currencies ?? [],
    limits: entry.limits ?? {},
  }))

const methodsSchema = z.object({ supported_methods: fitting(methodSchema, 100) }).transform(({ supported_methods: { entries } }) => entries)

/** `GET /topup/payment-methods` (specification, Account funding and balance): no authentication. */
const paymentMethodsRequest: ServiceRequest<PaymentMethod[]> = {
  method: 'GET', target: { path: '/topup/payment-methods' }, auth: 'none', repeatable: true, read: jsonAnswer(methodsSchema, say('The response isn’t a list of payment methods.')),
}

/** Entries that do not parse are left out; currencies and limits that are garbled are none. Throws service/…. */
export function readPaymentMethods(service: Service, options: CallOptions = {}): Promise<PaymentMethod[]> {
  return perform(service, paymentMethodsRequest, options)
}
