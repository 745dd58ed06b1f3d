import type { Migration } from './migration.ts'

/**
 * Documents of projects with their passages. Plaintext: ids, times, whether a document is complete, and how many passages it has. Names,
 * places and texts are sealed.
 */
export const knowledge: Migration = {
  version: 12,
  up(database) {
    database.execute(`
      CREATE TABLE knowledge_documents (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        complete INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX knowledge_documents_by_project ON knowledge_documents (project_id);

      CREATE TABLE knowledge_passages (
        document_id TEXT NOT NULL REFERENCES knowledge_documents (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (document_id, number)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}

/**
 * The sealed root covers the documents of projects under this new name. Under the old one, documents that exist would look like
 * rows that another program added.
 *
 * Their passages need no cover. Each is written once under its document's random id, so the file never had another valid one at its
 * place, and the document's body has their number.
 */
export const coveredDocuments: Migration = {
  version: 14,
  up(database) {
    database.execute('ALTER TABLE knowledge_documents RENAME TO project_documents')
  },
}
