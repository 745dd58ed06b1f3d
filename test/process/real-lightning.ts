import { createInterface } from 'node:readline'
import { WindowSessions } from '../../src/core/core.ts'
import { createUiServer } from '../../src/host/ui-server.ts'
import { startLdkNodes } from '../../src/sandbox/lightning/ldk-nodes.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import type { Purchase } from '../../src/shared/purchase.ts'
import type { Report } from '../e2e/real-lightning-report.ts'
import { startWorld } from '../world.ts'

/** A core with two real Lightning nodes, and its window, until its input ends. */
const nodes = await startLdkNodes()
const world = await startWorld({ lightning: () => Promise.resolve(nodes) })
// The first start made an account; what follows does without one.
await world.call('accounts/disconnect')
world.outbound.length = 0
const windows = new WindowSessions()
const uiServer = await createUiServer(
  { api: world.core.api, files: world.core.files, bodies: new BodyBudget(), windows },
  0,
)

async function report(): Promise<void> {
  const sent = Buffer.concat(world.outbound).toString()
  const summary: Report = {
    address: uiServer.newAddress(),
    balance: nodes.funds.balance().toString(),
    purchases: (await world.call('purchases/list')) as Purchase[],
    preimages: [...sent.matchAll(/"authorization":"L402 [^"]+:([0-9a-f]{64})"/g)].map(
      ([, preimage = '']) => preimage,
    ),
    keySent: sent.includes('Bearer'),
  }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
}

await report()
for await (const _ of createInterface({ input: process.stdin })) await report()
await uiServer[Symbol.asyncDispose]()
await world[Symbol.asyncDispose]()
process.exit()
