import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { LedgerEntry } from './sandbox.ts'

export interface Account {
  /** UUID. */
  readonly creditId: string
  /** `sk-` and 22 alphanumerics. */
  readonly apiKey: string
  /** 10^-12 USD; negative where an answer cost more than was left. */
  readonly picoUsd: bigint
}

/** What a new account finds on it: five dollars of play money. */
const welcome = 5_000_000_000_000n

const schema = `
  CREATE TABLE IF NOT EXISTS account (
    credit_id TEXT PRIMARY KEY, api_key TEXT NOT NULL UNIQUE, pico_usd INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS debit (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, credit_id TEXT NOT NULL, model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, pico_usd INTEGER NOT NULL, aborted INTEGER NOT NULL
  ) STRICT;
`

/** The debit of one request, growing with its answer. */
export interface OpenDebit {
  /** Charges tokens that were generated. */
  output(tokens: number, picoUsd: bigint): void
  /** Notes that the caller went away. */
  abort(): void
}

/** Accounts and what they paid, in SQLite in the sandbox's folder. */
export class Ledger {
  readonly #db: DatabaseSync
  readonly #insert
  readonly #grow
  readonly #take
  readonly #mark

  constructor(folder: string) {
    this.#db = new DatabaseSync(join(folder, 'sandbox.sqlite'), { timeout: 2000 })
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`)
    this.#insert = this.#db.prepare('INSERT INTO debit (at, credit_id, model, input_tokens, output_tokens, pico_usd, aborted) VALUES (?, ?, ?, ?, 0, ?, 0)')
    this.#grow = this.#db.prepare('UPDATE debit SET output_tokens = output_tokens + ?, pico_usd = pico_usd + ? WHERE id = ?')
    this.#take = this.#db.prepare('UPDATE account SET pico_usd = pico_usd - ? WHERE credit_id = ?')
    this.#mark = this.#db.prepare('UPDATE debit SET aborted = 1 WHERE id = ?')
  }

  createAccount(): Account {
    const account = { creditId: randomUUID(), apiKey: `sk-${alphanumerics(22)}`, picoUsd: welcome }
    this.#db.prepare('INSERT INTO account (credit_id, api_key, pico_usd) VALUES (?, ?, ?)').run(account.creditId, account.apiKey, account.picoUsd)
    return account
  }

  accountOfKey(apiKey: string): Account | undefined {
    return this.#find('api_key', apiKey)
  }

  accountOfCreditId(creditId: string): Account | undefined {
    return this.#find('credit_id', creditId)
  }

  /** Charges the request's input and opens its entry. @param at Unix ms */
  debit(account: Account, model: string, at: number, inputTokens: number, picoUsd: bigint): OpenDebit {
    const id = this.#both(() => {
      this.#take.run(picoUsd, account.creditId)
      return this.#insert.run(at, account.creditId, model, inputTokens, picoUsd).lastInsertRowid
    })
    return {
      output: (tokens, price) => {
        if (!this.#db.isOpen) return
        this.#both(() => {
          this.#take.run(price, account.creditId)
          this.#grow.run(tokens, price, id)
        })
      },
      abort: () => {
        if (this.#db.isOpen) this.#mark.run(id)
      },
    }
  }

  entries(): LedgerEntry[] {
    const statement = this.#db.prepare('SELECT at, credit_id, model, input_tokens, output_tokens, pico_usd, aborted FROM debit ORDER BY id')
    statement.setReadBigInts(true)
    return statement.all().map((row) => ({
      at: Number(integer(row['at'])),
      account: text(row['credit_id']),
      model: text(row['model']),
      inputTokens: Number(integer(row['input_tokens'])),
      outputTokens: Number(integer(row['output_tokens'])),
      picoUsd: integer(row['pico_usd']),
      aborted: integer(row['aborted']) === 1n,
    }))
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  #find(column: 'api_key' | 'credit_id', value: string): Account | undefined {
    const statement = this.#db.prepare(`SELECT credit_id, api_key, pico_usd FROM account WHERE ${column} = ?`)
    statement.setReadBigInts(true)
    const row = statement.get(value)
    return row && { creditId: text(row['credit_id']), apiKey: text(row['api_key']), picoUsd: integer(row['pico_usd']) }
  }

  #both<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function alphanumerics(count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('the sandbox ledger holds a value of another type')
  return value
}

function integer(value: SQLOutputValue | undefined): bigint {
  if (typeof value !== 'bigint') throw new TypeError('the sandbox ledger holds a value of another type')
  return value
}
