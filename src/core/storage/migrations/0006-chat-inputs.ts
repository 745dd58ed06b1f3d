import type { Migration } from './migration.ts'

/**
 * The prompt library, folders, attachments and drafts. Plaintext: ids, times, the names of sealed files,
 * and the attachments of each message and draft. An attachment is deleted with its last use, and never
 * because a record couldn't be read.
 */
export const chatInputs: Migration = {
  version: 6,
  up(database) {
    database.execute(`
      CREATE TABLE prompts (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, updated_at INTEGER NOT NULL, body BLOB NOT NULL) STRICT;

      CREATE TABLE folders (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;

      CREATE TABLE attachments (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        file TEXT NOT NULL UNIQUE,
        body BLOB NOT NULL
      ) STRICT;

      CREATE TABLE message_attachments (
        message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
        attachment_id TEXT NOT NULL REFERENCES attachments (id) ON DELETE CASCADE,
        PRIMARY KEY (message_id, attachment_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX message_attachments_by_attachment ON message_attachments (attachment_id);

      CREATE TABLE drafts (conversation_id TEXT PRIMARY KEY, updated_at INTEGER NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE draft_attachments (
        conversation_id TEXT NOT NULL REFERENCES drafts (conversation_id) ON DELETE CASCADE,
        attachment_id TEXT NOT NULL REFERENCES attachments (id) ON DELETE CASCADE,
        PRIMARY KEY (conversation_id, attachment_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX draft_attachments_by_attachment ON draft_attachments (attachment_id);

      CREATE TRIGGER draft_of_conversation AFTER DELETE ON conversations BEGIN
        DELETE FROM drafts WHERE conversation_id = old.id;
      END;
      CREATE TRIGGER attachment_left_by_message AFTER DELETE ON message_attachments BEGIN
        DELETE FROM attachments WHERE id = old.attachment_id AND ${unused('old.attachment_id')};
      END;
      CREATE TRIGGER attachment_left_by_draft AFTER DELETE ON draft_attachments BEGIN
        DELETE FROM attachments WHERE id = old.attachment_id AND ${unused('old.attachment_id')};
      END;
    `)
  },
}

function unused(id: string): string {
  return `NOT EXISTS (SELECT 1 FROM message_attachments WHERE attachment_id = ${id}) AND NOT EXISTS (SELECT 1 FROM draft_attachments WHERE attachment_id = ${id})`
}
