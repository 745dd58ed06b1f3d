import { SottoError } from '../../shared/errors.ts'

/** Primary result codes, sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** PERM, BUSY, READONLY, IOERR, FULL, CANTOPEN. */
const UNWRITABLE: ReadonlySet<number> = new Set([3, SQLITE_BUSY, 8, 10, 13, 14])
/** Extended: SQLITE_CONSTRAINT | (3 << 8). */
export const SQLITE_CONSTRAINT_FOREIGNKEY = 787

/** The extended result code of what node:sqlite threw; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
}

/** What SQLite says of the file, as a coded failure; anything else stays as it is. */
export function asStoreError(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === undefined) return error
  const primary = code & 0xff
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) return new SottoError('store/damaged', { cause: error })
  return UNWRITABLE.has(primary) ? new SottoError('store/unwritable', { cause: error }) : error
}
