import { join } from 'node:path'
import type { FaultSwitches } from './faults.ts'
import { LedgerDatabase } from './ledger/database.ts'
import { Ledger } from './ledger/ledger.ts'
import { Generations } from './media/generations.ts'
import { seededBytes, systemBytes } from './random.ts'
import type { SandboxOptions } from './sandbox.ts'
import type { ServiceContext } from './service-context.ts'
import { SignedUrls } from './signed-urls.ts'

/** Five dollars of play money. */
const welcome = 5_000_000_000_000n

/** Opens the ledger and what the routes share; invoices are loaded by the first that needs one. */
export function openContext(options: SandboxOptions, baseUrl: string, faults: FaultSwitches): ServiceContext {
  const { folder, ledger: kept = 'file', seed, now = Date.now, pace = 'human', revision = 'B' } = options
  const database = new LedgerDatabase(kept === 'memory' ? ':memory:' : join(folder, 'sandbox.sqlite'))
  // What was kept from an earlier start must not be made a second time.
  const random = seed === undefined ? systemBytes : seededBytes(`${seed} ${database.opened}`)
  const ledger = new Ledger(database, random)
  const node = once(async () => {
    const { LightningNode } = await import('./payment/lightning-node.ts')
    // The first byte is cleared so that every value is a scalar below the group's order.
    return new LightningNode(ledger.secret('node', () => Buffer.concat([Buffer.of(0), random(31)])), random)
  })
  const topups = once(async () => {
    const { Topups } = await import('./payment/topups.ts')
    return new Topups(database, ledger.accounts, await node(), random)
  })
  const closing = new AbortController()
  const watched = new Set(ledger.accounts.withAutomaticTopup())
  const automaticTopups = once(async () => {
    const { AutomaticTopups } = await import('./nwc/automatic-topup.ts')
    return new AutomaticTopups({ accounts: ledger.accounts, topups, random, now, watched, closing: closing.signal })
  })
  ledger.onDebit((creditId) => {
    if (watched.has(creditId)) void automaticTopups().then((topup) => topup.check(creditId))
  })
  return {
    baseUrl, revision, database, ledger, faults, random, now, pace, welcome,
    signedUrls: new SignedUrls(ledger.secret('media', () => random(32)), baseUrl),
    generations: new Generations(database, random),
    challenges: once(async () => {
      const { Challenges } = await import('./payment/challenges.ts')
      return new Challenges(database, await node(), random, ledger.secret('realm', () => random(6)).toString('hex'))
    }),
    topups,
    automaticTopups,
    close: () => {
      closing.abort()
      database.close()
    },
  }
}

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
