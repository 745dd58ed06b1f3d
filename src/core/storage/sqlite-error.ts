import { SottoError } from '../../shared/errors.ts'

/** Primary result codes (sqlite.org/rescode.html). */
export const SQLITE_BUSY = 5
/** The record violates a constraint of its table, such as a unique id. */
export const SQLITE_CONSTRAINT = 19
/** PERM, BUSY, READONLY, IOERR, FULL, CANTOPEN. */
const UNWRITABLE: ReadonlySet<number> = new Set([3, SQLITE_BUSY, 8, 10, 13, 14])
/**
 * Extended: SQLITE_CONSTRAINT
 * (3 << 8).
 */
export const SQLITE_CONSTRAINT_FOREIGNKEY = 787

/** The extended result code of what node:sqlite threw; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}

/**
 * Converts an SQLite error to an error with a code: store/damaged or store/unwritable; returns any other
 * error unchanged. Every statement is a constant that works on an intact file. If one fails to compile or
 * run, the file is damaged, unless the statement violates a constraint.
 */
export function asStoreError(error: unknown): unknown {
  // Sotto never writes an integer beyond 2^53.
  if (error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE')
    return new SottoError('store/damaged', { cause: error })
  const code = sqliteCode(error)
  if (code === undefined) return error
  const primary = code & 0xff
  if (primary === SQLITE_CONSTRAINT) return error
  return new SottoError(UNWRITABLE.has(primary) ? 'store/unwritable' : 'store/damaged', { cause: error })
}
