import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { LocalKeyRecord, SharedLimits } from '../core/gateway/proxy/index.ts'
import type { Budgets, ReceiptSink, Reservation } from '../core/gateway/relay/index.ts'
import { asSottoError, SottoError } from '../shared/errors.ts'
import type { Receipt } from '../shared/receipt.ts'
import { applyBatch } from './apply-batch.ts'
import type { Database } from './database.ts'
import { GroupCommit, type BatchCounts } from './group-commit.ts'
import type {
  EndOperation,
  LedgerOperation,
  OperationResult,
  ReserveOperation,
  SettleOperation,
  TakeOperation,
} from './ledger-operations.ts'
import type { OwnRequests } from './running-requests.ts'

const DAY_MS = 86_400_000
/** Pause after a settlement that the database didn't take. */
const RETRY_MS = 250
/** A request over the limit of parallel ones is tried this often again, and after this pause. */
const END_RETRIES = 2
const END_RETRY_MS = 100
/** Settlements and ends of requests in memory at most, about 2 KB each. With more, nothing is sent. */
const MAX_UNSAVED = 10_000

export interface LedgerOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly replicaId: string
  /** Unix ms. Only for charges of requests without a reservation: otherwise the database's clock counts. */
  readonly now: () => number
  /** Whether a request of this key may be sent while the database is away. */
  readonly mayGoOn: (keyId: string, isPrivate: boolean) => boolean
  /** The ledger adds and deletes its parallel requests here. */
  readonly ownRequests?: OwnRequests
  /** Called before each operation, and throws if this version can't work with the schema any more. */
  readonly requireUsable?: () => void
  /** Called with the code when the database refuses to save a receipt, which is then missing. */
  readonly onLost?: (code: string) => void
}

/** Reservations, rates and receipts that replicas share. */
export interface Ledger extends AsyncDisposable {
  readonly budgets: Budgets
  readonly receipts: Pick<ReceiptSink, 'put'>
  readonly limits: Pick<SharedLimits, 'take'>
  readonly counts: () => BatchCounts & { readonly unsaved: number; readonly lockSeconds: number }
}

/**
 * Creates the ledger of one replica. Every request has a row in the database before it's sent, and the row ends
 * together with the receipt.
 *
 * If the connection breaks during a reservation's commit, the request is refused, and a settlement removes the row
 * that may exist. Settlements are repeated until the database has taken them.
 */
export function createLedger({
  database,
  replicaId,
  now,
  mayGoOn,
  ownRequests = new Map(),
  requireUsable,
  onLost,
}: LedgerOptions): Ledger {
  /** Settlements and ends of requests that aren't saved. */
  const unsaved = new Set<SettleOperation | EndOperation>()
  /** Those whose receipt may still be added, because no transaction has read them. */
  const withoutReceipt = new Map<string, SettleOperation>()
  const ending = new AbortController()
  let lockMs = 0
  const commit = (operations: readonly LedgerOperation[]): Promise<OperationResult[]> => {
    for (const each of operations) if (each.kind === 'settle') withoutReceipt.delete(each.receiptId)
    return database.transaction((statements) =>
      applyBatch(statements, replicaId, operations, (ms) => (lockMs += ms)),
    )
  }
  const queue = new GroupCommit<LedgerOperation, OperationResult>(commit)

  function requireCapacity(): void {
    requireUsable?.()
    if (unsaved.size >= MAX_UNSAVED || ending.signal.aborted) throw new SottoError('database/unreachable')
  }
  async function decide(operation: ReserveOperation | TakeOperation): Promise<number> {
    const result = await queue.add(operation)
    if (!result.ok) throw result.refusal
    return result.day
  }

  function settle(operation: SettleOperation): void {
    if (!operation.receipt) withoutReceipt.set(operation.receiptId, operation)
    save(operation)
  }
  function save(operation: SettleOperation | EndOperation): void {
    unsaved.add(operation)
    void saveUntilDone(operation).finally(() => unsaved.delete(operation))
  }
  async function saveUntilDone(operation: SettleOperation | EndOperation): Promise<void> {
    for (let single = false; ;) {
      try {
        if (single) await commit([operation])
        else await queue.add(operation)
        return
      } catch (thrown) {
        const { code } = asSottoError(thrown)
        const isLasting = code !== 'database/unreachable' && code !== 'database/refused'
        if (single && isLasting) {
          if (operation.kind === 'settle') onLost?.(code)
          return
        }
        // A refused statement of one operation must not keep the others of its batch from being saved.
        single = isLasting
        if (ending.signal.aborted && !single) return
        await wait(single ? 0 : RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
      }
    }
  }

  /** @returns the function that ends the request */
  async function begin(keyId: string): Promise<() => void> {
    const requestId = randomUUID()
    const end = (): void => {
      ownRequests.delete(requestId)
      save({ kind: 'end', keyId, requestId })
    }
    for (let tries = 1; ; tries++)
      try {
        await decide({ kind: 'take', keyId, requestId })
        ownRequests.set(requestId, keyId)
        return end
      } catch (thrown) {
        // The commit may have succeeded.
        if (isDatabaseFailure(thrown)) end()
        // A caller may send its next request before another replica has committed the end of the one before.
        if (asSottoError(thrown).code !== 'limit/concurrency' || tries > END_RETRIES) throw thrown
        await wait(END_RETRY_MS)
      }
  }

  function reservationOf(
    receiptId: string,
    keyId: string,
    most: bigint | 'unknown',
    day: number,
  ): Reservation {
    let charged: bigint | undefined
    return {
      day,
      settle(cost) {
        if (charged !== undefined) return charged
        charged = cost !== 'unknown' ? cost : most === 'unknown' ? 0n : most
        settle({ kind: 'settle', receiptId, keyId, day, charged, receipt: undefined })
        return charged
      },
    }
  }

  return {
    budgets: {
      async reserve(keyId, most, { receiptId, isPrivate }) {
        requireCapacity()
        const today = Math.floor(now() / DAY_MS)
        try {
          const day = await decide({ kind: 'reserve', receiptId, keyId, most })
          return reservationOf(receiptId, keyId, most, day)
        } catch (thrown) {
          if (!isDatabaseFailure(thrown)) throw thrown
          if (thrown.code === 'database/unreachable' && mayGoOn(keyId, isPrivate))
            return reservationOf(receiptId, keyId, most, today)
          settle({ kind: 'settle', receiptId, keyId, day: today, charged: 0n, receipt: undefined })
          throw thrown
        }
      },
    },
    limits: {
      take({ id, limits }: LocalKeyRecord) {
        const { requestsPerMinute, tokensPerMinute, parallelRequests } = limits
        if (
          requestsPerMinute === undefined &&
          tokensPerMinute === undefined &&
          parallelRequests === undefined
        )
          return undefined
        requireCapacity()
        return parallelRequests === undefined
          ? decide({ kind: 'take', keyId: id }).then(() => undefined)
          : begin(id)
      },
    },
    receipts: {
      put(receipt: Receipt) {
        // A request's settlement was added in this turn of the event loop, so no batch has read it.
        const settlement = withoutReceipt.get(receipt.id)
        withoutReceipt.delete(receipt.id)
        if (settlement) settlement.receipt = receipt
        else
          settle({
            kind: 'settle',
            receiptId: receipt.id,
            keyId: receipt.caller.localKeyId,
            day: Math.floor(now() / DAY_MS),
            charged: 0n,
            receipt,
          })
      },
    },
    counts: () => ({ ...queue.counts, unsaved: unsaved.size, lockSeconds: lockMs / 1000 }),
    async [Symbol.asyncDispose]() {
      // Settlements get one more attempt. What isn't saved then is charged at its most when the lease ends.
      ending.abort()
      while (unsaved.size > 0 || queue.counts.waiting > 0) {
        await queue.idle()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

function isDatabaseFailure(thrown: unknown): thrown is SottoError {
  return thrown instanceof SottoError && thrown.code.startsWith('database/')
}
