import type { Migration } from './migration.ts'

/**
 * Projects. Plaintext: ids and times.
 *
 * The sealed root covers this table, because `privateOnly` in the body decides where content may be sent: an older
 * row in place of the current one is reported (src/shared/record-change.ts).
 *
 * A conversation names its project in its own sealed body, so that the file doesn't show which conversations belong
 * together. Therefore no foreign key and no trigger clears the name when a project is deleted: the core does it
 * (src/core/projects), and a name without a project counts as private-only.
 */
export const projects: Migration = {
  version: 11,
  up(database) {
    database.execute(`
      CREATE TABLE projects (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT
    `)
  },
}
