import { z } from 'zod'
import { msg } from '../../../../../shared/localized-text.ts'
import {
  jsonAnswer,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../http/perform.ts'
import { currency, listed, renamed, tableOf, type Listed } from '../../http/shapes.ts'
import { decimal, fitting, lenient, plainDecimal, text } from '../../http/wire.ts'

/** A way to top up. Limits are decimal text, by their currency. */
export interface PaymentMethod {
  readonly method: string
  readonly displayName: string
  readonly currencies: readonly string[]
  readonly limits: Readonly<
    Record<string, { readonly min?: string | undefined; readonly max?: string | undefined }>
  >
}

const bound = lenient(decimal.transform((value) => plainDecimal(value)))
const methodSchema = z
  .object({
    method: z.string().regex(/^[a-z0-9-]{1,40}$/),
    display_name: lenient(text(100)),
    supported_currencies: lenient(fitting(currency, 50)),
    limits: lenient(tableOf(currency, z.object({ min: bound, max: bound }), 50)),
  })
  .transform((entry) => ({
    method: {
      method: entry.method,
      displayName: entry.display_name ?? entry.method,
      currencies: entry.supported_currencies?.entries ?? [],
      limits: entry.limits?.table ?? {},
    } satisfies PaymentMethod,
    unreadable: (entry.supported_currencies?.unreadable ?? 0) + (entry.limits?.unreadable ?? 0),
  }))
const methodsSchema = listed(
  renamed(methodSchema, {
    method: ['id', '_id'],
    display_name: ['name'],
    supported_currencies: ['currencies'],
  }),
  100,
  'supported_methods',
  'payment_methods',
  'methods',
).transform(({ entries, unreadable }): Listed<PaymentMethod> => ({
  entries: entries.map(({ method }) => method),
  unreadable: entries.reduce((sum, entry) => sum + entry.unreadable, unreadable),
}))

/** `GET /topup/payment-methods` (specification, Account funding and balance): no authentication. */
const paymentMethodsRequest: ServiceRequest<Listed<PaymentMethod>> = {
  method: 'GET',
  target: { path: '/topup/payment-methods' },
  auth: 'none',
  repeatable: true,
  read: jsonAnswer(methodsSchema, msg('The response isn’t a list of payment methods.')),
}

/**
 * Lists the ways to top up.
 *
 * @returns the methods in the service's order; `unreadable` also counts currencies and limits that were skipped
 * @throws {SottoError} service/…
 */
export function readPaymentMethods(
  service: Service,
  options: CallOptions = {},
): Promise<Listed<PaymentMethod>> {
  return perform(service, paymentMethodsRequest, options)
}
