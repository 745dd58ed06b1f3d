import type { Migration } from './migration.ts'

/**
 * The spending of local keys by day, and the amounts reserved for requests in progress. The key's id and
 * the days are plaintext.
 */
export const spending: Migration = {
  version: 3,
  up(database) {
    database.execute(`
      CREATE TABLE spending_holds (seq INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;

      CREATE TABLE spending_days (
        key_id TEXT NOT NULL,
        day INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (key_id, day)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
