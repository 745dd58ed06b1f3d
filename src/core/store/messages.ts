import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { messageSchema, messageStates, type Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { SQLITE_CONSTRAINT_FOREIGNKEY, sqliteCode } from './sqlite-error.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  created_at: z.number(),
  state: z.enum(messageStates),
  body: z.instanceof(Uint8Array),
})
const bodySchema = messageSchema.omit({ id: true, conversationId: true, createdAt: true, state: true })

/** Bound to its conversation: whoever can write the file cannot move a private message to where others are continued. */
const place = ({ id, conversationId }: Pick<Message, 'id' | 'conversationId'>) => `messages/body/${id}/${conversationId}`

export function messagesIn(database: SealedDatabase, now: () => number): Store['messages'] {
  const toMessage = ({ id, conversation_id: conversationId, created_at: createdAt, state, body }: z.infer<typeof rowSchema>): Message => ({
    id,
    conversationId,
    createdAt,
    state,
    ...database.unseal(bodySchema, place({ id, conversationId }), body),
  })
  // bodySchema leaves out what stands in columns.
  const sealBody = (message: Message) => database.seal(place(message), bodySchema.parse(message))

  return {
    of: (conversationId) => database.all(rowSchema, 'SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq', conversationId).map(toMessage),
    get(id) {
      const row = database.get(rowSchema, 'SELECT * FROM messages WHERE id = ?', id)
      return row && toMessage(row)
    },
    add(content) {
      const message: Message = { ...content, id: randomUUID(), createdAt: Math.trunc(now()) }
      const { id, conversationId, createdAt, state } = message
      try {
        database.run('INSERT INTO messages (id, conversation_id, created_at, state, body) VALUES (?, ?, ?, ?, ?)', id, conversationId, createdAt, state, sealBody(message))
      } catch (error) {
        throw sqliteCode(error) === SQLITE_CONSTRAINT_FOREIGNKEY ? new SottoError('conversation/unknown') : error
      }
      return message
    },
    update(id, patch) {
      const row = database.get(rowSchema, 'SELECT * FROM messages WHERE id = ?', id)
      if (!row) throw new SottoError('conversation/unknown')
      const message = { ...toMessage(row), ...patch }
      database.run('UPDATE messages SET state = ?, body = ? WHERE id = ?', message.state, sealBody(message), id)
      return message
    },
  }
}

/** An answer that was being written when its process ended will not go on. */
export function interruptStreaming(database: SealedDatabase): void {
  database.run("UPDATE messages SET state = 'interrupted' WHERE state = 'streaming'")
}
