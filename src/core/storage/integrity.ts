import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { coveredTables, type CoveredTable, type RecordChange } from '../../shared/record-change.ts'
import type { SealedDatabase } from './sealed-database.ts'
import {
  readRoot,
  subtract,
  sumTables,
  watchRows,
  writeRoot,
  type Root,
  type TableSums,
} from './sealed-root.ts'

const checkSchema = z.object({ integrity_check: z.string() })

/** Checks whether the security-relevant rows are those that Sotto wrote last. */
export interface Integrity {
  /** Empty if they are. Found at opening, and the same until `accept`. */
  changes(): readonly RecordChange[]
  /** @throws {SottoError} store/rows-changed – there are changes */
  requireIntact(): void
  /**
   * Seals a root over the rows as they are now.
   * @throws {SottoError} store/rows-changed – they are not the rows that `changes` described any more
   */
  accept(): void
  /**
   * Makes everything that was committed outlive a power failure.
   * @returns the revision of the root on disk, for the vault to remember; null if there is no valid root
   * @throws {SottoError} store/unwritable
   */
  checkpoint(): number | null
}

/**
 * Compares the covered tables with the root, then keeps the root up to date with every write of this connection.
 * @param leastRevision the revision that the vault remembers; undefined if it remembers none
 * @throws {SottoError} store/damaged – the b-tree or an index of a covered table is not consistent, so a query could miss a row
 */
export function createIntegrity(database: SealedDatabase, leastRevision: number | undefined): Integrity {
  for (const table of coveredTables) requireConsistent(database, table)
  let root = readRoot(database)
  // An older root is valid together with the rows of its time.
  if (root && leastRevision !== undefined && root.revision < leastRevision) root = null
  let found = compare(root, sumTables(database))
  watchRows(database)

  const requireIntact = () => {
    if (found.length > 0) throw new SottoError('store/rows-changed')
  }
  return {
    changes: () => found.map(({ table, rows }) => ({ table, rows })),
    requireIntact,
    accept() {
      const actual = sumTables(database)
      // Own writes change both sides, so the difference is the one that was found, unless another program wrote since.
      const current = root && readRoot(database)
      const difference = compare(current, actual)
      const same =
        difference.length === found.length &&
        difference.every(({ table, sum }, at) => table === found[at]?.table && sum === found[at].sum)
      found = difference
      if (!same) requireIntact()
      const revision = Math.max(readRoot(database)?.revision ?? 0, leastRevision ?? 0) + 1
      database.durably(() => writeRoot(database, { revision, tables: actual }))
      root = readRoot(database)
      found = []
    },
    checkpoint() {
      database.durably(() => database.run('UPDATE root SET body = body'))
      return found.some(({ table }) => table === 'root') ? null : (readRoot(database)?.revision ?? null)
    },
  }
}

interface Difference extends RecordChange {
  readonly sum: bigint
}

function compare(root: Root | null, actual: TableSums): readonly Difference[] {
  if (!root) return [{ table: 'root', rows: 0, sum: 0n }]
  const differences = subtract(actual, root.tables)
  return coveredTables.flatMap((table) => {
    const { rows, sum } = differences[table] ?? { rows: 0, sum: 0n }
    return rows === 0 && sum === 0n ? [] : [{ table, rows, sum }]
  })
}

/** If a scan finds a row and an index doesn't, the sum includes the row, but queries miss it. */
function requireConsistent(database: SealedDatabase, table: CoveredTable): void {
  const [first] = database.all(checkSchema, `PRAGMA integrity_check(${table})`)
  if (first?.integrity_check !== 'ok') throw new SottoError('store/damaged')
}
