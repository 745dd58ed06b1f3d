import type { SealedDatabase } from '../sealed-database.ts'

/** One schema change. A released migration is never edited: the next change is a new migration. */
export interface Migration {
  /** The version of the schema after this step: one more than before. */
  readonly version: number
  /** Runs in its own transaction, on the schema before it. */
  up(database: SealedDatabase): void
}
