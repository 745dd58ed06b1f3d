import { SottoError } from '../../shared/errors.ts'

/** Primary result codes, sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
/** The record breaks a rule of its table, such as that of one row for an id. */
export const SQLITE_CONSTRAINT = 19
/** PERM, BUSY, READONLY, IOERR, FULL, CANTOPEN. */
const UNWRITABLE: ReadonlySet<number> = new Set([3, SQLITE_BUSY, 8, 10, 13, 14])
/** Extended: SQLITE_CONSTRAINT | (3 << 8). */
export const SQLITE_CONSTRAINT_FOREIGNKEY = 787

/** The extended result code of what node:sqlite threw; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}

/**
 * What SQLite says of the file, as a coded failure to throw: store/damaged, store/unwritable; anything else stays as it is. Every statement is a constant that runs on
 * a sound file, so that one which does not compile or run is the file's fault, but for a constraint that it breaks.
 */
export function asStoreError(error: unknown): unknown {
  // An integer beyond 2^53 is none that was written here.
  if (error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE')
    return new SottoError('store/damaged', { cause: error })
  const code = sqliteCode(error)
  if (code === undefined) return error
  const primary = code & 0xff
  if (primary === SQLITE_CONSTRAINT) return error
  return new SottoError(UNWRITABLE.has(primary) ? 'store/unwritable' : 'store/damaged', { cause: error })
}
