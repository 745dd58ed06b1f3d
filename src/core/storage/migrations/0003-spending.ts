import type { Migration } from './migration.ts'

/** What local keys spent, by day, and what is held back for requests under way. In plain sight stand the key's id and days. */
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
