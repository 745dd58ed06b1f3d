import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Migration } from './migrations/migration.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { hasRoot, readRoot, subtract, sumTables, writeRoot } from './sealed-root.ts'

/**
 * Brings the schema to the newest, one transaction for each step; a step that fails leaves the schema before it.
 * `copy` is called before the first step of a database that holds anything yet, with the version that it has.
 * Throws `store/newer-version` for a schema that these migrations do not know.
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
  for (const migration of ahead) {
    database.transaction(() => {
      keepRoot(database, () => migration.up(database))
      database.execute(`PRAGMA user_version = ${migration.version}`)
    })
  }
}

/**
 * Writes the root of the rows as the step leaves them. A difference between rows and root before the step is still there
 * after it: a migration never makes changed rows look intact. The step that creates the root table covers what is there.
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
