import { z } from 'zod'
import { small, text, textOrNull, type LedgerDatabase, type Row } from '../ledger/database.ts'
import type { RandomBytes } from '../random.ts'
import { alphanumerics } from '../random.ts'
import { recipeSchema, type Recipe } from './recipe.ts'

/** Something that was made, or is being made: kept as the recipe that it is rendered from when it is fetched. */
export interface Generation {
  /** `gen_…` */
  readonly id: string
  /** Null where an invoice paid for it. */
  readonly creditId: string | null
  readonly model: string
  readonly recordId: number
  readonly picoUsd: bigint
  /** Unix ms. */
  readonly createdAt: number
  readonly readyAt: number
  readonly recipe: Recipe
  /** Why it failed. */
  readonly error: string | null
}

/** What was generated, as long as the ledger. */
export class Generations {
  readonly #random: RandomBytes
  readonly #insert
  readonly #find
  readonly #fail

  constructor(db: LedgerDatabase, random: RandomBytes) {
    this.#random = random
    this.#insert = db.statement(
      'INSERT INTO generation (id, credit_id, model, record_id, pico_usd, created_at, ready_at, recipe) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#find = db.statement('SELECT * FROM generation WHERE id = ?')
    this.#fail = db.statement('UPDATE generation SET error = ? WHERE id = ?')
  }

  add(generation: Omit<Generation, 'id' | 'error'>): Generation {
    const id = `gen_${alphanumerics(this.#random, 24)}`
    const { creditId, model, recordId, picoUsd, createdAt, readyAt, recipe } = generation
    this.#insert.run(id, creditId, model, recordId, picoUsd, createdAt, readyAt, JSON.stringify(recipe))
    return { ...generation, id, error: null }
  }

  find(id: string): Generation | undefined {
    const row = this.#find.get(id)
    return row && generationOf(row)
  }

  fail(id: string, error: string): void {
    this.#fail.run(error, id)
  }
}

const stored = z
  .string()
  .transform((written): unknown => JSON.parse(written))
  .pipe(recipeSchema)

function generationOf(row: Row): Generation {
  return {
    id: text(row, 'id'),
    creditId: textOrNull(row, 'credit_id'),
    model: text(row, 'model'),
    recordId: small(row, 'record_id'),
    picoUsd: BigInt(small(row, 'pico_usd')),
    createdAt: small(row, 'created_at'),
    readyAt: small(row, 'ready_at'),
    recipe: stored.parse(text(row, 'recipe')),
    error: textOrNull(row, 'error'),
  }
}
