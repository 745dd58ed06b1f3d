import { z } from 'zod'
import type {
  PurchaseCall,
  PurchaseRequest,
  PurchaseResult,
  SingleRequests,
} from '../core/gateway/relay/index.ts'
import type { DeliveredFiles } from '../core/storage/index.ts'
import { SottoError } from '../shared/errors.ts'
import { isUncertain, type PaymentRecord } from '../shared/payment-record.ts'
import type { DataKey } from './data-key.ts'
import type { Database } from './database.ts'
import { createSharedFiles, removeUnfinishedParts } from './delivered-files.ts'
import { takePayerLock, type PayerLock } from './payer-lock.ts'
import { createSharedJournal, JournalCache, type SharedJournal } from './payment-journal.ts'

/** A purchase waits this long for a replica that is paying. It's longer than `LINGER_MS`. */
const WAIT_MS = 30_000
/** A session without callers continues deliveries and lookups this long, so that other replicas can pay. */
const LINGER_MS = 10_000
/** How long a tool may read its answer before another replica can pay. */
const READING_MS = 5_000
/** Payments that a stopped replica left are looked for this often. */
const RESUME_EVERY_MS = 30_000

const unfinishedSchema = z.object({ unfinished: z.boolean() })

/** The records of one session of the payer. */
export interface PayerStore {
  readonly payments: SharedJournal
  readonly deliveredFiles: DeliveredFiles
}

/** The payer of one session, and its purchases for tools. */
export interface SessionPayer extends AsyncDisposable {
  readonly single: Omit<SingleRequests, 'jobOf'>
  /** Looks up outcomes, and delivers paid requests. Never pays. */
  resume(): void
}

export interface ReplicaPayerOptions {
  readonly database: Database
  readonly key: DataKey
  /** Creates the payer over the records of a session. */
  readonly createPayer: (store: PayerStore) => Promise<SessionPayer>
  /** Whether a wallet is connected, so that a purchase without one doesn't wait for the lock. */
  readonly hasWallet: () => Promise<boolean>
  /** Unix ms. */
  readonly now: () => number
  readonly waitMs?: number
  readonly lingerMs?: number
}

interface Session {
  readonly lock: PayerLock
  readonly journal: SharedJournal
  readonly payer: SessionPayer
}

/** A session that is opened or open, with its callers. */
interface Turn {
  readonly session: Promise<Session>
  users: number
  lingering?: NodeJS.Timeout
}

/**
 * Pays for single requests from any replica. A replica takes the payer's lock for its purchases, and releases it
 * afterwards. So each replica can pay, one at a time.
 */
export class ReplicaPayer implements SingleRequests, AsyncDisposable {
  readonly #options: ReplicaPayerOptions
  readonly #cache: JournalCache
  readonly #closing = new AbortController()
  readonly #resuming: NodeJS.Timeout
  #turn: Turn | null = null
  readonly #ending = new Set<Promise<void>>()

  constructor(options: ReplicaPayerOptions) {
    this.#options = options
    this.#cache = new JournalCache(options.key)
    this.#resuming = setInterval(() => void this.resumeUnfinished(), RESUME_EVERY_MS)
    this.#resuming.unref()
  }

  /** Doesn't throw: `buy` requires the wallet, because the vault answers later. */
  requireWallet(): void {}

  async quote(purchase: PurchaseRequest, call: Pick<PurchaseCall, 'signal' | 'onLeaving'>): Promise<string> {
    return this.#use(({ payer }) => payer.single.quote(purchase, call))
  }

  /**
   * As SingleRequests.
   * @throws {SottoError} payment/payer-busy – another replica was paying for 30 seconds; database/…
   */
  async buy(purchase: PurchaseRequest, call: PurchaseCall): Promise<PurchaseResult> {
    if (!(await this.#options.hasWallet())) throw new SottoError('wallet/not-connected')
    const wasRead = new AbortController()
    const answer = Promise.withResolvers<PurchaseResult>()
    // The session remains until the tool has read its answer, which is then recorded.
    this.#use(async ({ payer }) => {
      if (call.signal.aborted) throw new SottoError('request/canceled')
      const result = await payer.single.buy(purchase, call)
      answer.resolve({
        ...result,
        onRead: () => {
          result.onRead?.()
          wasRead.abort()
        },
      })
      const isOver = AbortSignal.any([call.signal, wasRead.signal, AbortSignal.timeout(READING_MS)])
      if (result.onRead && !isOver.aborted)
        await new Promise((resolve) => isOver.addEventListener('abort', resolve, { once: true }))
    }).catch(answer.reject)
    return answer.promise
  }

  /** Reads the database, because another replica may have paid. */
  async jobOf(jobId: string): Promise<{ statusUrl?: string; receiptId?: string } | undefined> {
    const { database } = this.#options
    if (!this.#turn) await this.#cache.refresh((schema, text, values) => database.query(schema, text, values))
    const found = this.#cache.memory.findJob(jobId)
    if (!found) return undefined
    const { receiptId, delivered: { statusUrl } = {} } = found
    return { ...(statusUrl !== undefined && { statusUrl }), ...(receiptId !== undefined && { receiptId }) }
  }

  /** Continues the payments of a replica that stopped, unless another replica is paying. Never throws. */
  async resumeUnfinished(): Promise<void> {
    const { database } = this.#options
    try {
      const [row] = await database.query(
        unfinishedSchema,
        `SELECT EXISTS (SELECT 1 FROM payments WHERE state IN ('paying', 'held', 'unknown', 'paid')) AS unfinished`,
      )
      if (row?.unfinished === true) await this.#use(() => Promise.resolve(), 0)
    } catch {
      // The database is away, or another replica is paying. The next round tries again.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#resuming)
    const turn = this.#turn
    await turn?.session.catch(() => undefined)
    if (turn) this.#end(turn)
    await Promise.all(this.#ending)
  }

  async #use<T>(
    work: (session: Session) => Promise<T>,
    waitMs = this.#options.waitMs ?? WAIT_MS,
  ): Promise<T> {
    if (this.#closing.signal.aborted) throw new SottoError('request/canceled')
    const turn = (this.#turn ??= this.#begin(waitMs))
    clearTimeout(turn.lingering)
    turn.users++
    try {
      return await work(await turn.session)
    } finally {
      turn.users--
      if (turn.users === 0 && turn === this.#turn) await this.#linger(turn, this.#options.now())
    }
  }

  #begin(waitMs: number): Turn {
    const turn: Turn = { session: this.#open(waitMs), users: 0 }
    turn.session.then(
      ({ lock }) => {
        if (lock.lost.aborted) this.#end(turn)
        else lock.lost.addEventListener('abort', () => this.#end(turn), { once: true })
      },
      () => this.#end(turn),
    )
    return turn
  }

  /** @throws {SottoError} payment/payer-busy, request/canceled, database/… */
  async #open(waitMs: number): Promise<Session> {
    const { database, key, createPayer, now } = this.#options
    const lock = await takePayerLock(database, { waitMs, signal: this.#closing.signal })
    try {
      const journal = await createSharedJournal({ lock, cache: this.#cache, now })
      await removeUnfinishedParts(database)
      const deliveredFiles = createSharedFiles({ database, lock, key })
      const payer = await createPayer({ payments: journal, deliveredFiles })
      payer.resume()
      return { lock, journal, payer }
    } catch (thrown) {
      this.#cache.clear()
      await lock[Symbol.asyncDispose]()
      throw thrown
    }
  }

  /** Releases the lock once nothing is unfinished, or other replicas should have their turn. */
  async #linger(turn: Turn, since: number): Promise<void> {
    const { now, lingerMs = LINGER_MS } = this.#options
    const session = await turn.session.catch(() => null)
    if (turn.users > 0 || turn !== this.#turn) return
    if (!session?.journal.open().some(isUnfinished) || now() - since >= lingerMs) this.#end(turn)
    else turn.lingering = setTimeout(() => void this.#linger(turn, since), lingerMs / 10)
  }

  #end(turn: Turn): void {
    if (turn !== this.#turn) return
    this.#turn = null
    clearTimeout(turn.lingering)
    const ending = (async () => {
      const { payer, journal, lock } = await turn.session
      await payer[Symbol.asyncDispose]()
      await journal.close().catch(() => undefined)
      await lock[Symbol.asyncDispose]()
    })()
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}

function isUnfinished(record: PaymentRecord): boolean {
  return isUncertain(record.state) || record.state === 'paid'
}
