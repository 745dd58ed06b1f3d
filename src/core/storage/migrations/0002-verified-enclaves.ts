import type { Migration } from './migration.ts'

/**
 * The change log of verified enclaves. Ids, hosts and times are plaintext; the identity and the proof of
 * each enclave are sealed.
 */
export const verifiedEnclaves: Migration = {
  version: 2,
  up(database) {
    database.execute(`
      CREATE TABLE verified_enclaves (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        host TEXT NOT NULL,
        last_seen_at INTEGER NOT NULL,
        body BLOB NOT NULL,
        proof BLOB
      ) STRICT;
      CREATE INDEX verified_enclaves_by_host ON verified_enclaves (host, last_seen_at);
    `)
  },
}
