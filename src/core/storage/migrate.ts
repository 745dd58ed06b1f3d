import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Migration } from './migrations/migration.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { hasRoot, readRoot, subtract, sumTables, writeRoot } from './sealed-root.ts'

/**
 * Migrates the schema to the newest version, with one transaction for each step, or one for all steps of an empty
 * database. If a step fails, the schema before it remains. Calls `copy` with the current version before the first step, unless the
 * database is empty. Throws `store/newer-version` if the version is unknown to these migrations.
 */
export function migrate(
  database: SealedDatabase,
  migrations: readonly Migration[],
  copy: (version: number) => void,
): void {
  const version = schemaVersion(database)
  if (version > migrations.length) throw new SottoError('store/newer-version')
  const ahead = migrations.slice(version)
  if (version > 0 && ahead.length > 0) copy(version)
  // A new database has nothing that a failed step could lose, and each transaction of a file waits for the disk.
  const transactions = version === 0 ? [ahead] : ahead.map((migration) => [migration])
  for (const steps of transactions) {
    database.transaction(() => {
      keepRoot(database, () => {
        for (const step of steps) step.up(database)
      })
      database.execute(`PRAGMA user_version = ${steps.at(-1)?.version ?? version}`)
    })
  }
}

/**
 * Writes the root of the rows after the step. A difference between rows and root before the step remains
 * after it: a migration never makes changed rows look intact. The step that creates the root table covers
 * the existing rows.
 */
function keepRoot(database: SealedDatabase, step: () => void): void {
  const existed = hasRoot(database)
  const before = readRoot(database)
  const difference = before && subtract(sumTables(database), before.tables)
  step()
  if (!hasRoot(database) || (existed && !before)) return
  const after = sumTables(database)
  writeRoot(database, {
    revision: (before?.revision ?? 0) + 1,
    tables: difference ? subtract(after, difference) : after,
  })
}

function schemaVersion(database: SealedDatabase): number {
  return database.get(z.object({ user_version: z.int().min(0) }), 'PRAGMA user_version')?.user_version ?? 0
}
