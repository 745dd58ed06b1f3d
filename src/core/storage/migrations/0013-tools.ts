import type { Migration } from './migration.ts'

/**
 * Tool servers, the tools that a chat may use, and the journal of tool calls. Plaintext: ids, and the order and
 * state of the calls. Commands, arguments and results are sealed. Calls end with their answer, and choices with
 * their conversation.
 */
export const tools: Migration = {
  version: 13,
  up(database) {
    database.execute(`
      CREATE TABLE tool_servers (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;

      CREATE TABLE tool_choices (conversation_id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE tool_calls (
        answer_id TEXT NOT NULL,
        round INTEGER NOT NULL,
        place INTEGER NOT NULL,
        state TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (answer_id, round, place)
      ) STRICT;
      CREATE INDEX tool_calls_by_state ON tool_calls (state);

      CREATE TRIGGER tool_choices_of_conversation AFTER DELETE ON conversations BEGIN
        DELETE FROM tool_choices WHERE conversation_id = old.id;
      END;
      CREATE TRIGGER tool_calls_of_answer AFTER DELETE ON messages BEGIN
        DELETE FROM tool_calls WHERE answer_id = old.id;
      END;
    `)
  },
}
