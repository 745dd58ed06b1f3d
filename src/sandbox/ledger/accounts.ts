import { uuid, type RandomBytes } from '../random.ts'
import { integer, small, text, textOrNull, type LedgerDatabase } from './database.ts'

/** The source of a deposit. */
type DepositSource = 'welcome' | `topup:${string}` | 'control'

/** A wallet that the service may charge. Amounts are 10^-12 USD. */
export interface AutomaticTopup {
  readonly nwcUrl: string
  readonly threshold: bigint
  readonly amount: bigint
}

/** Accounts, their balances in 10^-12 USD, and their deposits. */
export class Accounts {
  readonly #db: LedgerDatabase
  readonly #random: RandomBytes
  readonly #balance
  readonly #add
  readonly #deposit

  constructor(db: LedgerDatabase, random: RandomBytes) {
    this.#db = db
    this.#random = random
    this.#balance = db.statement('SELECT pico_usd FROM account WHERE credit_id = ?')
    this.#add = db.statement('UPDATE account SET pico_usd = pico_usd + ? WHERE credit_id = ?')
    this.#deposit = db.statement('INSERT INTO deposit (at, credit_id, pico_usd, source) VALUES (?, ?, ?, ?)')
  }

  /** @returns its credit_id, a UUID */
  create(at: number, picoUsd: bigint): string {
    const creditId = uuid(this.#random)
    this.#db.atomically(() => {
      this.#db.statement('INSERT INTO account (credit_id, pico_usd) VALUES (?, 0)').run(creditId)
      this.deposit(creditId, picoUsd, 'welcome', at)
    })
    return creditId
  }

  /** @returns undefined if the id is unknown */
  balance(creditId: string): bigint | undefined {
    const row = this.#balance.get(creditId)
    return row && integer(row, 'pico_usd')
  }

  deposit(creditId: string, picoUsd: bigint, source: DepositSource, at: number): void {
    this.#db.atomically(() => {
      if (this.#add.run(picoUsd, creditId).changes === 0n) throw new Error(`no account ${creditId}`)
      this.#deposit.run(at, creditId, picoUsd, source)
    })
  }

  /** The deposits, oldest first. */
  deposits(creditId: string): { readonly at: number; readonly picoUsd: bigint; readonly source: string }[] {
    const rows = this.#db
      .statement('SELECT at, pico_usd, source FROM deposit WHERE credit_id = ? ORDER BY id')
      .all(creditId)
    return rows.map((row) => ({
      at: small(row, 'at'),
      picoUsd: integer(row, 'pico_usd'),
      source: text(row, 'source'),
    }))
  }

  automaticTopup(creditId: string): AutomaticTopup | undefined {
    const row = this.#db
      .statement('SELECT nwc_url, nwc_threshold, nwc_amount FROM account WHERE credit_id = ?')
      .get(creditId)
    const nwcUrl = row && textOrNull(row, 'nwc_url')
    return row && nwcUrl
      ? { nwcUrl, threshold: integer(row, 'nwc_threshold'), amount: integer(row, 'nwc_amount') }
      : undefined
  }

  setAutomaticTopup(creditId: string, wanted: AutomaticTopup | null): void {
    const values = wanted ? [wanted.nwcUrl, wanted.threshold, wanted.amount] : [null, null, null]
    this.#db
      .statement('UPDATE account SET nwc_url = ?, nwc_threshold = ?, nwc_amount = ? WHERE credit_id = ?')
      .run(...values, creditId)
  }

  /** The accounts that have a wallet connected. */
  withAutomaticTopup(): string[] {
    return this.#db
      .statement('SELECT credit_id FROM account WHERE nwc_url IS NOT NULL')
      .all()
      .map((row) => text(row, 'credit_id'))
  }

  /** Accounts whose balance isn't the sum of their deposits less their records. Always empty. */
  unbalanced(): string[] {
    const rows = this.#db
      .statement(
        `
      SELECT credit_id FROM account WHERE pico_usd
        != (SELECT coalesce(sum(pico_usd), 0) FROM deposit WHERE deposit.credit_id = account.credit_id)
         - (SELECT coalesce(sum(pico_usd), 0) FROM record WHERE record.credit_id = account.credit_id)`,
      )
      .all()
    return rows.map((row) => text(row, 'credit_id'))
  }

  oldest(): string | undefined {
    const row = this.#db.statement('SELECT credit_id FROM account ORDER BY rowid LIMIT 1').get()
    return row && text(row, 'credit_id')
  }
}
