import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { conversationSchema, type Conversation } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), created_at: z.number(), updated_at: z.number(), body: z.instanceof(Uint8Array) })
const bodySchema = conversationSchema.pick({ title: true, private: true, model: true })
type Body = z.infer<typeof bodySchema>

const place = (id: string) => `conversations/body/${id}`

export function conversationsIn(database: SealedDatabase, now: () => number): Store['conversations'] {
  const toConversation = (row: z.infer<typeof rowSchema>): Conversation => ({
    id: row.id,
    ...database.unseal(bodySchema, place(row.id), row.body),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })
  const sealBody = (id: string, { title, private: isPrivate, model }: Body) => database.seal(place(id), { title, private: isPrivate, model })

  function get(id: string): Conversation | null {
    const row = database.get(rowSchema, 'SELECT * FROM conversations WHERE id = ?', id)
    return row && toConversation(row)
  }
  function known(id: string): Conversation {
    const conversation = get(id)
    if (!conversation) throw new SottoError('conversation/unknown')
    return conversation
  }

  return {
    get,
    list: () => database.all(rowSchema, 'SELECT * FROM conversations ORDER BY updated_at DESC, seq DESC').map(toConversation),
    create(body) {
      const id = randomUUID()
      const at = Math.trunc(now())
      database.run('INSERT INTO conversations (id, created_at, updated_at, body) VALUES (?, ?, ?, ?)', id, at, at, sealBody(id, body))
      return known(id)
    },
    rename(id, title) {
      const renamed = { ...known(id), title }
      database.run('UPDATE conversations SET body = ? WHERE id = ?', sealBody(id, renamed), id)
      return renamed
    },
    touch(id) {
      database.run('UPDATE conversations SET updated_at = ? WHERE id = ?', Math.trunc(now()), id)
      return known(id)
    },
    remove: (id) => database.run('DELETE FROM conversations WHERE id = ?', id) > 0,
  }
}
