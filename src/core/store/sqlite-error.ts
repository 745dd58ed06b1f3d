/** Primary result codes, sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
export const SQLITE_CORRUPT = 11
export const SQLITE_NOTADB = 26
/** Extended: SQLITE_CONSTRAINT | (3 << 8). */
export const SQLITE_CONSTRAINT_FOREIGNKEY = 787

/** The result code of what node:sqlite threw; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
}
