import type { Migration } from './migration.ts'

/**
 * Requests to the service other than chat, with their parts and files. Ids, times, kinds, states and file
 * names are plaintext. A payment may refer to the same file, so that a delivered file isn't stored twice.
 */
export const jobs: Migration = {
  version: 7,
  up(database) {
    database.execute(`
      CREATE TABLE jobs (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        purchase_id TEXT,
        removed INTEGER NOT NULL DEFAULT 0,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX jobs_open ON jobs (seq) WHERE state NOT IN ('done', 'failed', 'stopped', 'lost');
      CREATE INDEX jobs_by_purchase ON jobs (purchase_id) WHERE purchase_id IS NOT NULL;

      CREATE TABLE job_files (
        job_id TEXT NOT NULL,
        at_index INTEGER NOT NULL,
        file TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (job_id, at_index)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX job_files_by_file ON job_files (file);

      CREATE TABLE job_parts (
        job_id TEXT NOT NULL,
        part INTEGER NOT NULL,
        state TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (job_id, part)
      ) STRICT;
    `)
  },
}
