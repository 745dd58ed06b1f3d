import { z } from 'zod'
import { accountDialect } from '../dialect.ts'
import { coinsOf, currencies, topupMethods, worthOf } from '../payment/methods.ts'
import type { Topup } from '../payment/topups.ts'
import { json } from '../refusal.ts'
import { accountRoute, bare, publicRoute, type Route } from '../route/route.ts'

const unixSeconds = z.int()
const topupSchema = z.looseObject({
  invoice_id: z.string(),
  amount: z.number(),
  currency: z.enum(currencies),
  created_at: unixSeconds,
  expires_at: unixSeconds,
  lightning_invoice: z.string().optional(),
  payment_address: z.string().optional(),
})
const statusSchema = topupSchema.extend({
  status: z.enum(['New', 'Settled', 'Expired']),
  payment_method: z.string(),
  amount_paid: z.number(),
  amount_due: z.number(),
})
const limitSchema = z.object({ min: z.number(), max: z.number() })
const methodsSchema = z.object({
  supported_methods: z.array(
    z.object({
      method: z.string(),
      display_name: z.string(),
      supported_currencies: z.array(z.enum(currencies)),
      limits: z.record(z.string(), limitSchema),
    }),
  ),
})

const common = { dialect: accountDialect, tag: 'Top-up', bothForms: true } as const
const methodNames = topupMethods.map(({ method }) => method)

/** Putting money on an account; addresses and invoices are of test networks. */
export const topupRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    ...common,
    method: 'GET',
    path: '/topup/payment-methods',
    summary: 'List payment methods and their limits',
    answers: { 200: { description: 'The methods', schema: methodsSchema } },
    serve: () =>
      json(200, {
        supported_methods: topupMethods.map(({ method, displayName, limits }) => ({
          method,
          display_name: displayName,
          supported_currencies: currencies,
          limits,
        })),
      }),
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'POST',
    path: '/topup/create/{method}',
    summary: 'Create a top-up invoice',
    answers: {
      201: { description: 'The invoice', schema: topupSchema },
      401: { description: 'The API key is missing' },
      404: { description: 'No such method' },
    },
    takes: ['authorization', 'api-key'],
    params: z.object({ method: z.string().max(40) }),
    input: z.looseObject({ amount: z.number(), currency: z.enum(currencies) }),
    serve: async (context, { payer, params, input, now }) => {
      const method = topupMethods.find((known) => known.method === params.method)
      if (!method)
        return accountDialect.refuse(404, `Unknown payment method; known are ${methodNames.join(', ')}`)
      const worth = worthOf(input.amount, input.currency, method)
      if (typeof worth !== 'bigint') return accountDialect.refuse(400, worth.fault, 'amount')
      const topup = (await context.topups()).create(
        payer.creditId,
        method,
        { amount: input.amount, currency: input.currency },
        worth,
        now,
      )
      return json(201, {
        ...topupJson(topup),
        checkout_url: `${context.baseUrl}/checkout/${topup.invoiceId}`,
        crypto_amount_due: pythonFloat(coinsOf(method.coin, topup.unitsDue)),
      })
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'GET',
    path: '/topup/status/{invoice_id}',
    summary: 'Get the status of a top-up invoice',
    answers: {
      200: { description: 'The invoice and its status', schema: statusSchema },
      401: { description: 'The API key is missing' },
      404: {
        description:
          'The invoice is unknown, belongs to another account, or was deleted three days after it expired',
      },
    },
    takes: ['authorization'],
    params: z.object({ invoice_id: z.string().max(100) }),
    serve: async (context, { payer, params, now }) => {
      const topup = (await context.topups()).find(params.invoice_id, now)
      if (topup?.creditId !== payer.creditId) return json(404, { error: 'Invoice not found' })
      const { unitsDue, unitsPaid, method } = topup
      const rest = topup.status === 'Settled' || unitsPaid > unitsDue ? 0n : unitsDue - unitsPaid
      return json(200, {
        ...topupJson(topup),
        status: topup.status,
        payment_method: method.displayName,
        amount_paid: Number(coinsOf(method.coin, unitsPaid)),
        amount_due: Number(coinsOf(method.coin, rest)),
      })
    },
  }),
]

function topupJson({
  invoiceId,
  amount,
  currency,
  createdAt,
  expiresAt,
  method,
  destination,
}: Topup): object {
  return {
    invoice_id: invoiceId,
    amount,
    currency,
    created_at: Math.floor(createdAt / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    ...(method.method === 'btc-lightning'
      ? { lightning_invoice: destination }
      : { payment_address: destination }),
  }
}

/** As observed: small amounts have an exponent. */
function pythonFloat(decimal: string): string {
  const value = Number(decimal)
  return value < 1e-4 ? value.toExponential().replace(/e-(\d)$/, 'e-0$1') : decimal
}
