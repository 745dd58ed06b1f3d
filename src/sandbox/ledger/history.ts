import type { SQLInputValue } from 'node:sqlite'
import { small, type LedgerDatabase } from './database.ts'
import { recordOf, type QueryRecord } from './record.ts'

export interface HistoryFilter {
  readonly creditId: string
  /** Only what this key asked. */
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly source?: string | undefined
  readonly type?: string | undefined
  /** Unix ms, inclusive. */
  readonly from?: number | undefined
  /** Unix ms, exclusive. */
  readonly before?: number | undefined
}

export interface HistoryPage {
  readonly records: readonly QueryRecord[]
  readonly total: number
}

/** The newest first. @param page from 1 */
export function readHistory(
  db: LedgerDatabase,
  filter: HistoryFilter,
  page: number,
  count: number,
): HistoryPage {
  const conditions: [string, SQLInputValue | undefined][] = [
    ['credit_id = ?', filter.creditId],
    ['key_id = ?', filter.keyId],
    ['model = ?', filter.model],
    ['query_source = ?', filter.source],
    ['query_type = ?', filter.type],
    ['at >= ?', filter.from],
    ['at < ?', filter.before],
  ]
  const present = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = present.map(({ sql }) => sql).join(' AND ')
  const values = present.map(({ value }) => value)
  return db.atomically(() => {
    const counted = db.statement(`SELECT count(*) AS total FROM record WHERE ${where}`).get(...values)
    const rows = db
      .statement(`SELECT * FROM record WHERE ${where} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`)
      .all(...values, count, (page - 1) * count)
    return { records: rows.map(recordOf), total: counted ? small(counted, 'total') : 0 }
  })
}
