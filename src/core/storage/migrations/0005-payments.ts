import type { Migration } from './migration.ts'

/**
 * Lightning payments with their requests and the delivered files, and top-up invoices. Ids, states, times
 * and file names are plaintext; payment hashes and hosts are stored as keyed hashes.
 */
export const payments: Migration = {
  version: 5,
  up(database) {
    database.execute(`
      CREATE TABLE payments (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        state TEXT NOT NULL,
        reserved_at INTEGER,
        hash_index BLOB NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX payments_by_time ON payments (at);
      CREATE INDEX payments_by_hash ON payments (hash_index);
      CREATE INDEX payments_reserved ON payments (reserved_at) WHERE reserved_at IS NOT NULL;
      CREATE INDEX payments_open ON payments (seq) WHERE state NOT IN ('declined', 'failed', 'expired', 'delivered');

      CREATE TABLE payment_requests (payment_id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;

      CREATE TABLE paid_hosts (host_index BLOB PRIMARY KEY, first_paid_at INTEGER NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE delivered_files (
        payment_id TEXT NOT NULL,
        at_index INTEGER NOT NULL,
        file TEXT NOT NULL UNIQUE,
        body BLOB NOT NULL,
        PRIMARY KEY (payment_id, at_index)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE topups (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
      CREATE INDEX topups_by_time ON topups (at);
    `)
  },
}
