import { z } from 'zod'
import type { Draft } from '../../shared/attachment.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ conversation_id: z.string(), body: z.instanceof(Uint8Array) })
const bodySchema = z.object({ text: z.string(), attachmentIds: z.array(z.string()) })

const place = (conversationId: string) => `drafts/body/${conversationId}`

/**
 * Stores drafts, each sealed under the id of its conversation. The ids of their attachments are also stored
 * as plaintext, so that the database doesn't remove an attachment in use.
 *
 * @param released is called after each save, which may have removed the last use of an attachment
 */
export function draftsIn(
  database: SealedDatabase,
  attachments: Store['attachments'],
  now: () => number,
  released: () => void,
): Store['drafts'] {
  function toDraft({ conversation_id: conversationId, body }: z.infer<typeof rowSchema>): Draft[] {
    return readOr(() => {
      const { text, attachmentIds } = database.unseal(bodySchema, place(conversationId), body)
      return [{ conversationId, text, attachments: attachmentIds.flatMap((id) => attachments.get(id) ?? []) }]
    }, [])
  }

  return {
    list: () =>
      database
        .all(rowSchema, 'SELECT conversation_id, body FROM drafts ORDER BY updated_at DESC')
        .flatMap(toDraft),
    save({ conversationId, text, attachments: attached }) {
      database.together(() => {
        const ids = attached.map(({ id }) => id)
        if (text === '' && ids.length === 0) {
          database.run('DELETE FROM drafts WHERE conversation_id = ?', conversationId)
          return
        }
        database.run(
          'INSERT INTO drafts (conversation_id, updated_at, body) VALUES (?, ?, ?) ON CONFLICT (conversation_id) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body',
          conversationId,
          Math.trunc(now()),
          database.seal(place(conversationId), { text, attachmentIds: ids }),
        )
        // Add new uses first, so that an attachment that stays is never unused in between.
        for (const id of ids)
          database.run(
            'INSERT OR IGNORE INTO draft_attachments (conversation_id, attachment_id) SELECT ?, id FROM attachments WHERE id = ?',
            conversationId,
            id,
          )
        database.run(
          'DELETE FROM draft_attachments WHERE conversation_id = ? AND attachment_id NOT IN (SELECT value FROM json_each(?))',
          conversationId,
          JSON.stringify(ids),
        )
      })
      released()
    },
  }
}
