import { ContextLimit } from './chat/plan.ts'
import { UsageReports } from './chat/completion.ts'
import { join } from 'node:path'
import type { FaultSwitches } from './faults.ts'
import { LedgerDatabase } from './ledger/database.ts'
import { Ledger } from './ledger/ledger.ts'
import { Generations } from './media/generations.ts'
import { seededBytes, systemBytes } from './random.ts'
import type { SandboxOptions } from './sandbox.ts'
import type { ServiceContext } from './service-context.ts'
import { SignedUrls } from './signed-urls.ts'
import type { Funds, SandboxWallet } from './wallet/index.ts'

/** The wallet's initial balance in msat. */
const walletFunds = 500_000_000n

/** Five dollars of play money. */
const welcome = 5_000_000_000_000n

/**
 * Opens the ledger and the shared state of the routes. The first route that needs an invoice loads the code
 * for it.
 */
export function createContext(
  options: SandboxOptions,
  baseUrl: string,
  faults: FaultSwitches,
): ServiceContext {
  const {
    folder,
    ledger: ledgerPlace = 'file',
    seed,
    now = Date.now,
    pace = 'human',
    revision = 'B',
  } = options
  const database = new LedgerDatabase(ledgerPlace === 'memory' ? ':memory:' : join(folder, 'sandbox.sqlite'))
  // With a seed, secrets of an earlier start must not be generated a second time.
  const random = seed === undefined ? systemBytes : seededBytes(`${seed} ${database.opened}`)
  const ledger = new Ledger(database, random)
  // The first byte is cleared so that every value is a scalar below the group's order.
  const scalar = (name: string) => ledger.secret(name, () => Buffer.concat([Buffer.of(0), random(31)]))
  const nodes = options.lightning && once(options.lightning)
  const node = once(async () => {
    if (nodes) {
      const live = await nodes()
      live.onPaid(
        (paymentHash) =>
          void topups().then((known) => database.isOpen && known.settlePaid(paymentHash, now())),
      )
      return live.invoices
    }
    const { LightningNode } = await import('./payment/lightning-node.ts')
    return new LightningNode(scalar('node'), random)
  })
  const topups = once(async () => {
    const { Topups } = await import('./payment/topups.ts')
    return new Topups(database, ledger.accounts, await node(), random)
  })
  const challenges = once(async () => {
    const { Challenges } = await import('./payment/challenges.ts')
    return new Challenges(
      database,
      await node(),
      random,
      ledger.secret('realm', () => random(6)).toString('hex'),
    )
  })
  const pay = async (invoice: string) => {
    const [ofAccounts, ofRequests] = [await topups(), await challenges()]
    const paid =
      ofAccounts.pay(invoice.toLowerCase(), now()) ??
      ofRequests.pay(invoice.toLowerCase(), now()) ??
      'unknown'
    return typeof paid === 'string' ? ({ failed: paid } as const) : paid
  }
  // A tenth of a percent, so that there is a fee to be counted.
  const simulated: Funds = {
    balance: (spent) => walletFunds - spent,
    fee: (msat) => (msat + 999n) / 1000n,
    pay,
  }
  let opened: Promise<SandboxWallet> | undefined
  const wallet = () =>
    (opened ??= (async () => {
      const { startWallet } = await import('./wallet/index.ts')
      return startWallet({
        database,
        funds: nodes ? (await nodes()).funds : simulated,
        secret: scalar,
        random,
        now,
      })
    })())
  const closing = new AbortController()
  const watched = new Set(ledger.accounts.withAutomaticTopup())
  const automaticTopups = once(async () => {
    const [{ AutomaticTopups }, { publicKeyOf }] = await Promise.all([
      import('./nwc/automatic-topup.ts'),
      import('./nwc/event.ts'),
    ])
    const ownKey = publicKeyOf(scalar('wallet'))
    const ownWallet = async (publicKey: string) =>
      publicKey === ownKey ? (await wallet()).connection('service') : undefined
    return new AutomaticTopups({
      accounts: ledger.accounts,
      topups,
      random,
      now,
      watched,
      closing: closing.signal,
      ownWallet,
    })
  })
  ledger.onDebit((creditId) => {
    if (watched.has(creditId)) void automaticTopups().then((topup) => topup.check(creditId))
  })
  return {
    baseUrl,
    revision,
    database,
    ledger,
    faults,
    random,
    now,
    pace,
    usage: new UsageReports(),
    contextLimit: new ContextLimit(),
    welcome,
    signedUrls: new SignedUrls(
      ledger.secret('media', () => random(32)),
      baseUrl,
    ),
    generations: new Generations(database, random),
    challenges,
    topups,
    automaticTopups,
    pay,
    wallet,
    openedWallet: () => opened,
    close: async () => {
      closing.abort()
      await opened?.then(
        (live) => live.close(),
        () => undefined,
      )
      if (nodes)
        await nodes().then(
          (live) => live.close(),
          () => undefined,
        )
      database.close()
    },
  }
}

/** Creates a value on the first call and caches it. A failure isn't cached. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () =>
    (created ??= make().catch((error: unknown) => {
      created = undefined
      throw error
    }))
}
