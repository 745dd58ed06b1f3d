import type { Migration } from './migration.ts'

/**
 * The newest verified signed data of AMD and Intel. The names are plaintext; versions and lists are sealed.
 */
export const collateral: Migration = {
  version: 10,
  up(database) {
    database.execute('CREATE TABLE collateral (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT')
  },
}
