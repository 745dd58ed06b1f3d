import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { messageSchema, messageStates, type Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { subtreeOf, treeOf } from '../../shared/conversation-tree.ts'
import { noteMessageAttachments } from './attachments.ts'
import type { HiddenRecords } from './removals.ts'
import { parsed, readOr, type SealedDatabase } from './sealed-database.ts'
import { SQLITE_CONSTRAINT_FOREIGNKEY, sqliteCode } from './sqlite-error.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  created_at: z.number(),
  state: z.enum(messageStates),
  body: z.instanceof(Uint8Array),
})
/** The columns of a row that another program changed, as far as they are needed to find its place. */
const anyRowSchema = rowSchema.extend({ state: z.string(), body: z.unknown() })
const bodySchema = messageSchema.omit({
  id: true,
  conversationId: true,
  createdAt: true,
  state: true,
  damaged: true,
})

/**
 * Binds the message to its conversation: an attacker who can write the file can't move a private message
 * into a conversation that isn't private.
 */
const place = ({ id, conversationId }: Pick<Message, 'id' | 'conversationId'>) =>
  `messages/body/${id}/${conversationId}`

/** Access that includes hidden messages. */
export interface AllMessages {
  all(conversationId: string): Message[]
  delete(id: string): void
  /** Notes all messages of the conversation as changed. */
  noteChanged(conversationId: string): void
}

/**
 * Stores messages, each sealed under its id and that of its conversation. No list and no lookup includes a
 * hidden message, except those of AllMessages.
 *
 * @param released is called after a message was deleted, which may have been the last use of an attachment
 */
export function messagesIn(
  database: SealedDatabase,
  hidden: HiddenRecords,
  now: () => number,
  released: () => void,
): Store['messages'] & AllMessages {
  const toMessage = ({
    id,
    conversation_id: conversationId,
    created_at: createdAt,
    state,
    body,
  }: z.infer<typeof rowSchema>): Message => ({
    id,
    conversationId,
    createdAt,
    state,
    ...database.unseal(bodySchema, place({ id, conversationId }), body),
  })
  // bodySchema drops the members that have columns.
  const sealBody = (message: Message) => database.seal(place(message), bodySchema.parse(message))

  const all = (conversationId: string) =>
    database
      .all(rowSchema, 'SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq', conversationId)
      .map(toMessage)
  function of(conversationId: string): Message[] {
    if (hidden.hides(conversationId)) return []
    return withoutSubtrees(all(conversationId), hidden.messagesOf(conversationId))
  }

  function readable(conversationId: string): Message[] {
    if (hidden.hides(conversationId)) return []
    const rows = database.all(
      anyRowSchema,
      'SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq',
      conversationId,
    )
    const messages = rows.map((row): Message =>
      readOr(() => toMessage(parsed(rowSchema, row)), {
        id: row.id,
        conversationId,
        createdAt: row.created_at,
        role: 'assistant',
        text: '',
        state: 'failed',
        errorCode: 'store/damaged',
        damaged: true,
      }),
    )
    return withoutSubtrees(messages, hidden.messagesOf(conversationId))
  }

  function insert(message: Message): void {
    const { id, conversationId, createdAt, state, attachments = [] } = message
    const write = () =>
      database.run(
        'INSERT INTO messages (id, conversation_id, created_at, state, body) VALUES (?, ?, ?, ?, ?)',
        id,
        conversationId,
        createdAt,
        state,
        sealBody(message),
      )
    if (attachments.length === 0) return void write()
    database.together(() => {
      write()
      noteMessageAttachments(database, id, attachments)
    })
  }

  return {
    all,
    of,
    readable,
    get(id) {
      const row = database.get(rowSchema, 'SELECT * FROM messages WHERE id = ?', id)
      if (!row || !hidden.hidesIn(row.conversation_id)) return row && toMessage(row)
      return of(row.conversation_id).find((message) => message.id === id) ?? null
    },
    delete(id) {
      database.run('DELETE FROM messages WHERE id = ?', id)
      released()
    },
    noteChanged(conversationId) {
      database.run('UPDATE conversations SET updated_at = updated_at WHERE id = ?', conversationId)
      database.run('UPDATE messages SET state = state WHERE conversation_id = ?', conversationId)
    },
    add(content) {
      const message: Message = {
        ...content,
        id: randomUUID(),
        createdAt: Math.trunc(content.createdAt ?? now()),
      }
      try {
        insert(message)
      } catch (error) {
        throw sqliteCode(error) === SQLITE_CONSTRAINT_FOREIGNKEY
          ? new SottoError('conversation/unknown')
          : error
      }
      return message
    },
    insert,
    update(id, patch) {
      const row = database.get(rowSchema, 'SELECT * FROM messages WHERE id = ?', id)
      if (!row) throw new SottoError('conversation/unknown')
      const message = { ...toMessage(row), ...patch }
      database.run(
        'UPDATE messages SET state = ?, body = ? WHERE id = ?',
        message.state,
        sealBody(message),
        id,
      )
      return message
    },
  }
}

function withoutSubtrees(messages: Message[], roots: readonly string[]): Message[] {
  if (roots.length === 0) return messages
  const tree = treeOf(messages)
  const gone = new Set(roots.flatMap((root) => [...subtreeOf(tree, root)]))
  return messages.filter(({ id }) => !gone.has(id))
}

/** Marks replies as interrupted if the process ended while writing them. */
export function interruptStreaming(database: SealedDatabase): void {
  database.run("UPDATE messages SET state = 'interrupted' WHERE state = 'streaming'")
}
