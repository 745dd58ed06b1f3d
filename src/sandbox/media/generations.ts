import { z } from 'zod'
import { small, text, textOrNull, type LedgerDatabase, type Row } from '../ledger/database.ts'
import { type RandomBytes, alphanumerics } from '../random.ts'

const pictureSchema = z.object({
  /** Determines the colors and their positions. */
  seed: z.string(),
  width: z.int(),
  height: z.int(),
  transparent: z.boolean(),
})
/** A picture before it is painted. Pixels. */
export type PictureRecipe = z.infer<typeof pictureSchema>

const recipeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    format: z.enum(['png', 'jpeg', 'webp']),
    pictures: z.array(pictureSchema),
  }),
  z.object({
    kind: z.literal('video'),
    picture: pictureSchema.pick({ width: true, height: true }),
    seconds: z.int(),
  }),
])
export type Recipe = z.infer<typeof recipeSchema>

/** The facts of every model that isn't paid by the token. */
export interface MediaModelFacts {
  readonly id: string
  readonly name: string
  /** A date. */
  readonly addedAt: string
  /** Characters of a prompt, tokens for a model of speech. */
  readonly contextLength: number
  readonly input: readonly string[]
}

/**
 * A result, complete or in progress. It's stored as the recipe from which it's rendered when it's fetched.
 */
export interface Generation {
  /** `gen_…` */
  readonly id: string
  /** Null if an invoice paid for it. */
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

/** The generated results, stored as long as the ledger. */
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
