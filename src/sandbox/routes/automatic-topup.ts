import { z } from 'zod'
import { accountDialect } from '../dialect.ts'
import { json } from '../refusal.ts'
import { accountRoute, bare, type Route } from '../route/route.ts'
import { dollars, picoOf } from '../route/schemas.ts'
import type { ServiceContext } from '../service-context.ts'

/**
 * A connection string without its secret. In a separate function, so that showing settings doesn't load the
 * elliptic curve.
 */
function withoutSecret(text: string): string {
  return text.replaceAll(/([?&]secret=)[^&]*/g, '$1********')
}

const settingsSchema = z.object({
  nwc_url: z.string(),
  threshold_usd: z.number(),
  topup_amount_usd: z.number(),
})
const answerSchema = z.object({ status: z.literal('success'), data: settingsSchema.nullable() })
const common = {
  dialect: accountDialect,
  takes: ['x-credit-id'],
  tag: 'Automatic top-up',
  bothForms: true,
} as const

/**
 * Routes for a wallet that the service charges automatically. The settings are shown without the wallet's
 * secret.
 */
export const automaticTopupRoutes: readonly Route[] = [
  accountRoute({
    ...bare,
    ...common,
    method: 'POST',
    path: '/nwc-auto-topup/connect',
    summary: 'Connect a wallet (NIP-47) through a loopback relay; the sandbox reaches no other',
    answers: {
      200: { description: 'Connected', schema: answerSchema },
      401: { description: 'No account' },
      422: { description: 'The wallet can’t be reached, or can’t pay invoices' },
    },
    input: z.strictObject({
      nwc_url: z.string().min(1).max(2048),
      threshold_usd: z.number().min(5, 'must be at least 5').max(1000).default(10),
      topup_amount_usd: z
        .number()
        .min(0.1, 'must be at least 0.1')
        .max(1000, 'must be at most 1000')
        .multipleOf(0.01, 'must be whole cents')
        .default(10),
    }),
    serve: async (context, { payer, input }) => {
      const wanted = {
        nwcUrl: input.nwc_url,
        threshold: picoOf(input.threshold_usd),
        amount: picoOf(input.topup_amount_usd),
      }
      const refused = await (await context.automaticTopups()).connect(payer.creditId, wanted)
      if (refused)
        return 'fault' in refused
          ? accountDialect.refuse(400, refused.fault, 'nwc_url')
          : accountDialect.refuse(422, refused.unable)
      return json(200, { status: 'success', data: settingsOf(context, payer.creditId) })
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'GET',
    path: '/nwc-auto-topup',
    summary: 'Get the connected wallet, or null',
    answers: {
      200: { description: 'The settings', schema: answerSchema },
      401: { description: 'No account' },
    },
    serve: (context, { payer }) =>
      json(200, { status: 'success', data: settingsOf(context, payer.creditId) }),
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'DELETE',
    path: '/nwc-auto-topup/connection',
    summary: 'Disconnect the wallet and stop charging it',
    answers: {
      200: {
        description: 'Disconnected',
        schema: z.object({ status: z.literal('success'), message: z.string() }),
      },
      401: { description: 'No account' },
      404: { description: 'No wallet is connected' },
    },
    serve: async (context, { payer }) => {
      if (!settingsOf(context, payer.creditId)) return accountDialect.refuse(404, 'No wallet is connected')
      ;(await context.automaticTopups()).disconnect(payer.creditId)
      return json(200, { status: 'success', message: 'Wallet disconnected and automatic top-up disabled' })
    },
  }),
]

function settingsOf({ ledger }: ServiceContext, creditId: string): z.infer<typeof settingsSchema> | null {
  const settings = ledger.accounts.automaticTopup(creditId)
  return settings
    ? {
        nwc_url: withoutSecret(settings.nwcUrl),
        threshold_usd: dollars(settings.threshold),
        topup_amount_usd: dollars(settings.amount),
      }
    : null
}
