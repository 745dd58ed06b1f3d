import type { Migration } from './migration.ts'

/** The sealed root over the security-relevant tables (../sealed-root.ts). `migrate` writes its one row in the same transaction. */
export const sealedRoot: Migration = {
  version: 9,
  up(database) {
    database.execute('CREATE TABLE root (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL) STRICT')
  },
}
