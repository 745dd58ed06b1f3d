import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { authenticate } from '../credential.ts'
import type { Ledger } from '../ledger.ts'
import { listing } from '../models.ts'
import { gatewayRefusal } from '../refusal.ts'
import { bodyOf, refuse } from './http.ts'

const balanceRequestSchema = z.looseObject({ credit_id: z.string().optional() })

/** Dollars as the service writes them: a number, with a float's noise. */
function dollars(picoUsd: bigint): number {
  return Number(picoUsd) / 1e12
}

/** Accounts, balance and the listing. A new account comes with play money. */
export function accountRoutes(app: FastifyInstance, ledger: Ledger): void {
  app.post('/accounts/create', (_request, reply) => {
    const account = ledger.createAccount()
    return reply.code(201).send({ success: true, credit_id: account.creditId, api_key: account.apiKey, balance: dollars(account.picoUsd) })
  })

  app.post('/credits/balance', (request, reply) => {
    const body = balanceRequest(bodyOf(request))
    if (!body) return refuse(reply, gatewayRefusal(400, 'The body is not a JSON object'))
    const named = body.credit_id
    // An id that nobody has is answered with an empty balance, not with an error.
    if (named !== undefined) return reply.send({ balance: dollars(ledger.accountOfCreditId(named)?.picoUsd ?? 0n) })
    const who = authenticate(request.headers, ledger)
    return 'refusal' in who ? refuse(reply, who.refusal) : reply.send({ balance: dollars(who.account.picoUsd) })
  })

  app.get('/v1/models', (request, reply) => {
    const type = z.looseObject({ type: z.string().max(100).optional() }).safeParse(request.query)
    return type.success ? reply.send(listing(type.data.type)) : refuse(reply, gatewayRefusal(400, 'type must be given once'))
  })
}

/** An absent body names nobody. */
function balanceRequest(body: Buffer): z.infer<typeof balanceRequestSchema> | undefined {
  try {
    return balanceRequestSchema.parse(body.length === 0 ? {} : JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
}
