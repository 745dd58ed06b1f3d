import type { SealedDatabase } from '../sealed-database.ts'

/** One step forward. What a release has shipped is never edited: the next change is the next migration. */
export interface Migration {
  /** The schema that it arrives at: one more than the one before. */
  readonly version: number
  /** Runs in a transaction of its own, on the schema before. */
  up(database: SealedDatabase): void
}
