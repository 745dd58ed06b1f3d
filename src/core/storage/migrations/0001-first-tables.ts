import type { Migration } from './migration.ts'

/**
 * Plaintext columns have only ids, times, states, the hash of a local key and the names of settings and
 * enclaves.
 */
export const firstTables: Migration = {
  version: 1,
  up(database) {
    database.execute(`
      CREATE TABLE conversations (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX conversations_by_update ON conversations (updated_at);

      CREATE TABLE messages (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
      CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';

      CREATE TABLE receipts (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX receipts_by_time ON receipts (at);

      CREATE TABLE local_keys (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        hash TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;

      CREATE TABLE settings (name TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE enclaves (host TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
    `)
  },
}
