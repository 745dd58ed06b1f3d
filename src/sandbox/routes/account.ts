import { z } from 'zod'
import { authenticate } from '../credential.ts'
import { accountDialect } from '../dialect.ts'
import { dollars } from '../route/schemas.ts'
import { json } from '../refusal.ts'
import { bare, publicRoute, type Route } from '../route/route.ts'

const accountSchema = z.object({
  success: z.boolean(),
  credit_id: z.uuid(),
  api_key: z.string(),
  balance: z.number(),
})

/** Accounts and their balance. A new account comes with play money. */
export const accountRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    method: 'POST',
    path: '/accounts/create',
    bothForms: true,
    tag: 'Accounts',
    summary: 'Create an account with its first key',
    answers: { 201: { description: 'The account', schema: accountSchema } },
    dialect: accountDialect,
    serve: ({ ledger, welcome }, { now }) => {
      const { creditId, apiKey } = ledger.createAccount(now, welcome)
      return json(201, { success: true, credit_id: creditId, api_key: apiKey, balance: dollars(welcome) })
    },
  }),
  publicRoute({
    ...bare,
    method: 'POST',
    path: '/credits/balance',
    bothForms: true,
    tag: 'Accounts',
    summary: 'Get an account’s balance in USD',
    answers: {
      200: { description: 'The balance, or 0 for an unknown ID', schema: z.object({ balance: z.number() }) },
      401: { description: 'The credit_id or the API key is missing' },
    },
    dialect: accountDialect,
    input: z.looseObject({ credit_id: z.string().max(100).optional() }).default({}),
    serve: ({ ledger }, { input, http, now }) => {
      // An unknown id is answered with an empty balance, not with an error (observed).
      if (input.credit_id !== undefined)
        return json(200, { balance: dollars(ledger.accounts.balance(input.credit_id) ?? 0n) })
      const who = authenticate(http.headers, ['authorization', 'api-key'], accountDialect, ledger, now)
      return 'refusal' in who
        ? who.refusal
        : json(200, { balance: dollars(ledger.accounts.balance(who.payer.creditId) ?? 0n) })
    },
  }),
]
