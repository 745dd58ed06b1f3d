import type { RandomBytes } from '../random.ts'
import { Accounts } from './accounts.ts'
import { integer, text, type LedgerDatabase } from './database.ts'
import { ApiKeys } from './keys.ts'
import { type Payer, recordOf, type Counts, type Query, type QueryRecord } from './record.ts'

/** Reservations for open requests, by account or key. They end with the process, like the requests. */
class Holds {
  readonly #held = new Map<string, bigint>()

  of(id: string): bigint {
    return this.#held.get(id) ?? 0n
  }

  /** @param picoUsd negative to release */
  add(id: string, picoUsd: bigint): void {
    const sum = this.of(id) + picoUsd
    if (sum === 0n) this.#held.delete(id)
    else this.#held.set(id, sum)
  }
}

/** Why nothing was charged: the account cannot pay, or the key may not spend so much. */
type Shortage = 'balance' | 'key-limit'

/** A request in progress. Its highest remaining cost is reserved until it ends. */
export interface Charge {
  /** The id of its record. */
  readonly id: number
  /** Debits and records in one step. @throws RangeError beyond the reservation */
  spend(picoUsd: bigint, counts: Counts): void
  /** Releases the rest of the reservation. */
  end(): void
  /** The same, and notes that the caller went away. */
  abort(): void
}

/**
 * Prices, reserves or debits, and records every request in one transaction. No balance falls below zero and
 * no key exceeds its cap under any concurrency, because reservations count as spent.
 */
export class Ledger {
  readonly accounts: Accounts
  readonly keys: ApiKeys
  readonly #db: LedgerDatabase
  readonly #holds = new Holds()
  readonly #means
  readonly #take
  readonly #insert
  readonly #grow
  readonly #abort
  #onDebit: (creditId: string) => void = () => undefined

  constructor(db: LedgerDatabase, random: RandomBytes) {
    this.#db = db
    this.accounts = new Accounts(db, random)
    this.keys = new ApiKeys(db, random)
    this.#means = db.statement(
      'SELECT pico_usd, (SELECT usage_limit FROM api_key WHERE id = ?) AS usage_limit FROM account WHERE credit_id = ?',
    )
    this.#take = db.statement('UPDATE account SET pico_usd = pico_usd - ? WHERE credit_id = ?')
    this.#insert = db.statement(`
      INSERT INTO record (at, credit_id, key_id, payment_hash, model, query_type, query_source, input_count, output_count, pico_usd, online, free)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#grow = db.statement(
      'UPDATE record SET input_count = input_count + ?, output_count = output_count + ?, pico_usd = pico_usd + ? WHERE id = ?',
    )
    this.#abort = db.statement('UPDATE record SET aborted = 1 WHERE id = ?')
  }

  /** Called after each debit. The transaction may still be open, so a listener must defer its work. */
  onDebit(listener: (creditId: string) => void): void {
    this.#onDebit = listener
  }

  /** An account with its first key, called "Default". */
  createAccount(at: number, picoUsd: bigint): { readonly creditId: string; readonly apiKey: string } {
    return this.#db.atomically(() => {
      const creditId = this.accounts.create(at, picoUsd)
      const key = this.keys.create(
        creditId,
        { name: 'Default', usageLimit: null, resetPeriod: null, expireAt: null },
        at,
      )
      if (!key) throw new Error('a new account has a key already')
      return { creditId, apiKey: key.apiKey }
    })
  }

  /** A request of a known price that is answered in one go. @returns its record's id, or why nothing was charged */
  charge(payer: Payer, query: Query, picoUsd: bigint, counts: Counts = {}): number | Shortage {
    const charged = this.#db.atomically(
      () => this.#shortage(payer, picoUsd, query.at) ?? this.#record(payer, query, picoUsd, counts),
    )
    if (typeof charged === 'number') this.#debited(payer)
    return charged
  }

  /**
   * Starts a request that is answered piece by piece. @param most its highest cost, reserved until it ends
   */
  open(payer: Payer, query: Query, most: bigint): Charge | Shortage {
    const id = this.#db.atomically(
      () => this.#shortage(payer, most, query.at) ?? this.#record(payer, query, 0n, {}),
    )
    if (typeof id !== 'number') return id
    let left = most
    const hold = (picoUsd: bigint) => {
      if (payer.kind !== 'account') return
      this.#holds.add(payer.creditId, picoUsd)
      if (payer.keyId !== null) this.#holds.add(payer.keyId, picoUsd)
    }
    hold(most)
    const end = () => {
      hold(-left)
      left = 0n
    }
    return {
      id,
      spend: (picoUsd, { input = 0, output = 0 }) => {
        if (picoUsd > left) throw new RangeError('a request costs more than was held for it')
        // The sandbox was closed under an answer.
        if (!this.#db.isOpen) return
        this.#db.atomically(() => {
          this.#debit(payer, picoUsd)
          this.#grow.run(input, output, picoUsd, id)
        })
        left -= picoUsd
        hold(-picoUsd)
        this.#debited(payer)
      },
      end,
      abort: () => {
        end()
        if (this.#db.isOpen) this.#abort.run(id)
      },
    }
  }

  /**
   * Fails a request after it was charged. An account is refunded. The payer of an invoice can't be
   * refunded, so the record still shows the payment.
   */
  fail(recordId: number, errorCode: string): void {
    this.#db.atomically(() => {
      const row = this.#db.statement('SELECT * FROM record WHERE id = ?').get(recordId)
      if (!row) throw new Error(`no record ${recordId}`)
      const { creditId, keyId, picoUsd } = recordOf(row)
      const back = creditId === null ? 0n : picoUsd
      if (creditId !== null) this.#debit({ kind: 'account', creditId, keyId }, -back)
      this.#db
        .statement('UPDATE record SET pico_usd = pico_usd - ?, error_code = ? WHERE id = ?')
        .run(back, errorCode, recordId)
    })
  }

  /** Every record, oldest first. */
  records(): QueryRecord[] {
    return this.#db.statement('SELECT * FROM record ORDER BY id').all().map(recordOf)
  }

  /** A named secret, which is created on first use and stored with the ledger. */
  secret(name: string, make: () => Buffer): Buffer {
    return this.#db.atomically(() => {
      const row = this.#db.statement('SELECT hex(value) AS value FROM secret WHERE name = ?').get(name)
      if (row) return Buffer.from(text(row, 'value'), 'hex')
      const created = make()
      this.#db.statement('INSERT INTO secret (name, value) VALUES (?, ?)').run(name, created)
      return created
    })
  }

  #shortage(payer: Payer, picoUsd: bigint, now: number): Shortage | undefined {
    if (payer.kind === 'invoice' || picoUsd === 0n) return undefined
    const row = this.#means.get(payer.keyId, payer.creditId)
    if (!row || integer(row, 'pico_usd') - this.#holds.of(payer.creditId) < picoUsd) return 'balance'
    const key =
      payer.keyId === null || row['usage_limit'] === null ? undefined : this.keys.find(payer.keyId, now)
    if (!key || key.usageLimit === null) return undefined
    return key.periodUsage + this.#holds.of(key.id) + picoUsd > key.usageLimit ? 'key-limit' : undefined
  }

  #record(payer: Payer, query: Query, picoUsd: bigint, { input = 0, output = 0 }: Counts): number {
    this.#debit(payer, picoUsd)
    const [creditId, keyId, paymentHash] =
      payer.kind === 'account' ? [payer.creditId, payer.keyId, null] : [null, null, payer.paymentHash]
    const { lastInsertRowid } = this.#insert.run(
      query.at,
      creditId,
      keyId,
      paymentHash,
      query.model,
      query.type,
      query.source,
      input,
      output,
      picoUsd,
      query.online ? 1 : 0,
      query.free ? 1 : 0,
    )
    return Number(lastInsertRowid)
  }

  #debit(payer: Payer, picoUsd: bigint): void {
    if (payer.kind !== 'account' || picoUsd === 0n) return
    this.#take.run(picoUsd, payer.creditId)
    if (payer.keyId !== null) this.keys.spend(payer.keyId, picoUsd)
  }

  #debited(payer: Payer): void {
    if (payer.kind === 'account') this.#onDebit(payer.creditId)
  }
}
