import type { Migration } from './migration.ts'

/** The newest statements of AMD and Intel that were verified. In plain sight stand their names; versions and lists are sealed. */
export const collateral: Migration = {
  version: 10,
  up(database) {
    database.execute('CREATE TABLE collateral (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT')
  },
}
