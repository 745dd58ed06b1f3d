import type { FastifyInstance } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { isSandboxFault } from '../../shared/sandbox-faults.ts'
import { isSandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import type { SandboxControl } from '../control.ts'
import { accountDialect, decimalUsd } from '../dialect.ts'
import { picoOf, parseWith, readJson } from '../route/schemas.ts'
import type { FaultSwitches } from '../faults.ts'
import { documentedRefusal, json, type Refusal } from '../refusal.ts'
import { bodyOf, refuse } from './http.ts'

const usd = z.number().min(-1_000_000).max(1_000_000)
const routeFaultSchema = z.strictObject({
  status: z.int().min(400).max(599).optional(),
  retry_after: z.int().min(0).max(86_400).optional(),
  balance_backoff: z.boolean().optional(),
  latency_ms: z.int().min(0).max(600_000).optional(),
  cut: z.boolean().optional(),
  stalled: z.boolean().optional(),
})

/** The commands of the owner of a separately running sandbox. */
const orderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('create-account'), usd }),
  z.strictObject({ do: z.literal('set-balance'), credit_id: z.string(), usd }),
  z.strictObject({ do: z.literal('pay'), invoice: z.string() }),
  z.strictObject({ do: z.literal('settle-topup'), invoice_id: z.string() }),
  z.strictObject({ do: z.literal('expire-topup'), invoice_id: z.string() }),
  z.strictObject({ do: z.literal('receive-topup'), invoice_id: z.string(), units: z.int().positive() }),
  z.strictObject({ do: z.literal('fail-video'), id: z.string() }),
  z.strictObject({
    do: z.literal('report-usage'),
    cost: z.boolean().default(false),
    cached: z.int().min(0).default(0),
    reasoning: z.int().min(0).default(0),
  }),
  z.strictObject({ do: z.literal('enforce-context-length'), on: z.boolean() }),
  z.strictObject({ do: z.literal('route-fault'), route: z.string(), fault: routeFaultSchema.nullable() }),
  z.strictObject({ do: z.literal('enclave-fault'), fault: z.string(), on: z.boolean() }),
  z.strictObject({ do: z.literal('wallet') }),
  z.strictObject({ do: z.literal('wallet-fault'), fault: z.string().nullable() }),
  z.strictObject({ do: z.literal('status') }),
])
type Order = z.infer<typeof orderSchema>

/** `POST /_sandbox/control`, with `X-Sandbox-Control: TOKEN`. No page can reach it: a browser's request names its origin. */
export function controlRoute(
  app: FastifyInstance,
  control: SandboxControl,
  faults: FaultSwitches,
  token: string,
): void {
  app.post('/_sandbox/control', async (request, reply) => {
    const { origin, 'x-sandbox-control': shown, 'content-type': type } = request.headers
    if (origin !== undefined || typeof shown !== 'string' || !same(shown, token))
      return refuse(reply, documentedRefusal(403, 'Forbidden'))
    const body = readJson(bodyOf(request), type, accountDialect)
    if ('refusal' in body) return refuse(reply, body.refusal)
    const order = parseWith(orderSchema, body.value, accountDialect)
    if ('refusal' in order) return refuse(reply, order.refusal)
    return refuse(reply, await carryOut(order.value, control, faults))
  })
}

async function carryOut(order: Order, control: SandboxControl, faults: FaultSwitches): Promise<Refusal> {
  switch (order.do) {
    case 'create-account': {
      const { creditId, apiKey } = control.createAccount(picoOf(order.usd))
      return json(200, { credit_id: creditId, api_key: apiKey })
    }
    case 'set-balance':
      return attempt(() => control.setBalance(order.credit_id, picoOf(order.usd)))
    case 'pay':
      return json(200, await control.pay(order.invoice))
    case 'settle-topup':
      return json(200, { status: await control.settleTopup(order.invoice_id) })
    case 'expire-topup':
      await control.expireTopup(order.invoice_id)
      return json(200, {})
    case 'receive-topup':
      return json(200, { status: await control.receiveTopup(order.invoice_id, BigInt(order.units)) })
    case 'fail-video':
      return json(200, { status: control.failVideo(order.id) })
    case 'report-usage': {
      const { do: _, ...report } = order
      control.reportUsage(report)
      return json(200, {})
    }
    case 'enforce-context-length':
      control.enforceContextLength(order.on)
      return json(200, {})
    case 'route-fault': {
      const { fault } = order
      return attempt(() =>
        control.setRouteFault(
          order.route,
          fault && {
            status: fault.status,
            retryAfter: fault.retry_after,
            balanceBackoff: fault.balance_backoff,
            latencyMs: fault.latency_ms,
            cut: fault.cut,
            stalled: fault.stalled,
          },
        ),
      )
    }
    case 'enclave-fault': {
      const { fault, on } = order
      if (!isSandboxFault(fault)) return documentedRefusal(404, `unknown sandbox fault: ${fault}`)
      faults.set(fault, on)
      return json(200, {})
    }
    case 'wallet': {
      const wallet = await control.wallet()
      return json(200, {
        connection: wallet.connection('sotto'),
        service_connection: wallet.connection('service'),
        balance_msat: String(wallet.balance()),
        fault: wallet.fault(),
        payments: wallet
          .payments()
          .map(({ paymentHash, state, asked }) => ({ payment_hash: paymentHash, state, asked })),
      })
    }
    case 'wallet-fault': {
      const { fault } = order
      if (fault !== null && !isSandboxWalletFault(fault))
        return documentedRefusal(404, `unknown wallet fault: ${fault}`)
      await (await control.wallet()).setFault(fault)
      return json(200, {})
    }
    case 'status': {
      const records = control.records()
      const spent = records.reduce((sum, { picoUsd }) => sum + picoUsd, 0n)
      return json(200, {
        routes: control.routes().map(({ name }) => name),
        route_faults: control.routeFaults(),
        enclave_faults: faults.list(),
        records: records.length,
        spent_usd: decimalUsd(spent),
        unbalanced: control.unbalanced(),
      })
    }
  }
}

/** Answers 404 if the named item doesn't exist. */
function attempt(work: () => void): Refusal {
  try {
    work()
    return json(200, {})
  } catch (error) {
    return documentedRefusal(404, error instanceof Error ? error.message : 'not found')
  }
}

/** Compares in constant time. */
function same(shown: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(token))
}
