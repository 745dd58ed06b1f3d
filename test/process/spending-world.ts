import { startWorld } from '../world.ts'
import type { SpendingReady, Spent } from './spending.ts'

/**
 * A whole core with its proxy over the sandbox in its own process, for tests that run elsewhere. Reports its
 * address and its key. It answers any message with its spending and requests so far.
 */
const world = await startWorld()
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  void (async () => {
    const receipts = (await world.call('receipts/list', {})) as unknown[]
    const asked = world.sandbox
      .received()
      .filter(({ method, path }) => method === 'POST' && path !== '/accounts/create')
      .map(({ method, path }) => `${method} ${path}`)
    process.send?.({
      debits: world.sandbox.ledger().length,
      asked,
      receipts: receipts.length,
    } satisfies Spent)
  })()
})
process.send?.({ baseUrl: world.baseUrl, key: world.key } satisfies SpendingReady)
