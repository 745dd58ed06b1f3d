import { z } from 'zod'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const watchedSchema = z.object({ count: z.number() })
const changeSchema = z.object({ kind: z.enum(['conversation', 'message']), id: z.string() })

/**
 * Tracks changes of conversations and messages by any code: triggers of this connection write the ids to a
 * temporary table in memory. They also note messages that are deleted with their conversation.
 */
export function changesIn(database: SealedDatabase): Store['changes'] {
  const watched = () =>
    database.get(
      watchedSchema,
      "SELECT count(*) AS count FROM temp.sqlite_schema WHERE name = 'library_changes'",
    )?.count === 1

  function watch(): void {
    const note = (event: string, table: string, kind: string, row: string) => `
      CREATE TEMP TRIGGER library_${table}_${event} AFTER ${event} ON main.${table} BEGIN
        INSERT OR IGNORE INTO library_changes VALUES ('${kind}', ${row}.id);
      END;`
    database.execute(`
      CREATE TEMP TABLE library_changes (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
      ${note('INSERT', 'conversations', 'conversation', 'new')}${note('UPDATE', 'conversations', 'conversation', 'new')}${note('DELETE', 'conversations', 'conversation', 'old')}
      ${note('INSERT', 'messages', 'message', 'new')}${note('UPDATE', 'messages', 'message', 'new')}${note('DELETE', 'messages', 'message', 'old')}
    `)
  }

  return {
    take() {
      if (!watched()) {
        watch()
        return null
      }
      const changes = database.all(changeSchema, 'SELECT kind, id FROM library_changes')
      if (changes.length > 0) database.run('DELETE FROM library_changes')
      return changes
    },
  }
}
