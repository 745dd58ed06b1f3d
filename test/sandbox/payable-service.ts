import Fastify from 'fastify'
import { createServer } from 'node:http'
import { z } from 'zod'
import { Arrivals, ArrivingMessage } from '../../src/sandbox/arrival.ts'
import { createControl, type SandboxControl } from '../../src/sandbox/control.ts'
import { dataDialect } from '../../src/sandbox/dialect.ts'
import { FaultSwitches } from '../../src/sandbox/faults.ts'
import { createContext } from '../../src/sandbox/create-context.ts'
import { ReceivedLog, type ServiceContext } from '../../src/sandbox/service-context.ts'
import { gatewayRefusal, json } from '../../src/sandbox/refusal.ts'
import { RouteFaults } from '../../src/sandbox/route/faults.ts'
import { mountRoutes, routeName } from '../../src/sandbox/route/mount.ts'
import { bare, payableRoute } from '../../src/sandbox/route/route.ts'

/** One payable route on a server of its own: what the flow does, whatever is sold. */
const route = payableRoute({
  ...bare,
  method: 'POST',
  path: '/v1/data/api/{group}/search',
  tag: 'Test',
  summary: 'Sells one answer',
  answers: {},
  dialect: dataDialect,
  takes: ['authorization'],
  params: z.object({ group: z.string() }),
  input: z.strictObject({ q: z.string().min(1) }),
  price: (_context, { params }) =>
    params.group === 'nothing'
      ? { refusal: gatewayRefusal(404, 'nothing is sold here') }
      : { picoUsd: 11_500_000_000n, description: 'Sandbox Data: search' },
  serve: ({ ledger }, { payer, price, input, now }) => {
    const charged = ledger.charge(
      payer,
      { model: 'search', type: 'data_enrichment', source: 'api', at: now },
      price.picoUsd,
    )
    return typeof charged === 'number'
      ? json(200, { found: input.q })
      : charged === 'balance'
        ? dataDialect.insufficient(price.picoUsd)
        : dataDialect.keyLimit
  },
})

export interface PayableService extends AsyncDisposable {
  readonly baseUrl: string
  readonly context: ServiceContext
  readonly control: SandboxControl
  readonly faults: RouteFaults
  readonly clock: { now: number }
  readonly received: ReceivedLog
}

export async function startPayableService(): Promise<PayableService> {
  const clock = { now: Date.UTC(2026, 10, 18, 12) }
  const now = () => clock.now
  const context = createContext(
    { folder: '', ledger: 'memory', now },
    'http://127.0.0.1',
    new FaultSwitches(),
  )
  const received = new ReceivedLog()
  const arrivals = new Arrivals(received, now)
  const faults = new RouteFaults([
    { name: routeName(route.facts), group: route.facts.tag, description: route.facts.summary, fails: true },
  ])
  const app = Fastify({
    serverFactory: (handler) =>
      createServer({ IncomingMessage: ArrivingMessage }, (request, response) => {
        arrivals.begin(request, response)
        handler(request, response)
      }),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  mountRoutes(app, [route], context, arrivals, faults)
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    baseUrl,
    context,
    faults,
    clock,
    received,
    control: createControl(context, faults),
    async [Symbol.asyncDispose]() {
      await app.close()
      await context.close()
    },
  }
}
