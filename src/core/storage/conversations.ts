import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { conversationSchema, type Conversation } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ConversationPatch } from './conversation-store.ts'
import type { HiddenRecords } from './removals.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({
  id: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  body: z.instanceof(Uint8Array),
})
const bodySchema = conversationSchema.pick({
  title: true,
  private: true,
  model: true,
  leafId: true,
  pinned: true,
  folderId: true,
  projectId: true,
  systemPrompt: true,
  parameters: true,
  direction: true,
  contextCut: true,
  imported: true,
})
type Body = z.infer<typeof bodySchema>

const place = (id: string) => `conversations/body/${id}`

/**
 * Stores conversations, each sealed under its id. No list and no lookup includes a hidden one.
 *
 * @param released is called after a conversation was removed, which may have been the last use of an
 * attachment
 */
export function conversationsIn(
  database: SealedDatabase,
  hidden: HiddenRecords,
  now: () => number,
  released: () => void,
): Store['conversations'] {
  const toConversation = (row: z.infer<typeof rowSchema>): Conversation => ({
    id: row.id,
    ...database.unseal(bodySchema, place(row.id), row.body),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })
  // bodySchema drops the members that have columns.
  const sealBody = (id: string, body: Body) => database.seal(place(id), bodySchema.parse(body))

  function get(id: string): Conversation | null {
    if (hidden.hides(id)) return null
    const row = database.get(rowSchema, 'SELECT * FROM conversations WHERE id = ?', id)
    return row && toConversation(row)
  }
  /** A damaged conversation counts as private, because that can't be checked. */
  const readable = (row: z.infer<typeof rowSchema>): Conversation =>
    readOr(() => toConversation(row), {
      id: row.id,
      title: '',
      private: true,
      model: '',
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      damaged: true,
    })
  function known(id: string): Conversation {
    const conversation = get(id)
    if (!conversation) throw new SottoError('conversation/unknown')
    return conversation
  }
  function write(next: Conversation): Conversation {
    database.run(
      'UPDATE conversations SET updated_at = ?, body = ? WHERE id = ?',
      next.updatedAt,
      sealBody(next.id, next),
      next.id,
    )
    return next
  }

  return {
    get,
    list: () =>
      database
        .all(rowSchema, 'SELECT * FROM conversations ORDER BY updated_at DESC, seq DESC')
        .filter(({ id }) => !hidden.hides(id))
        .map(readable),
    readable(id) {
      const row = hidden.hides(id)
        ? null
        : database.get(rowSchema, 'SELECT * FROM conversations WHERE id = ?', id)
      return row && readable(row)
    },
    create(body) {
      const id = randomUUID()
      const at = Math.trunc(now())
      database.run(
        'INSERT INTO conversations (id, created_at, updated_at, body) VALUES (?, ?, ?, ?)',
        id,
        at,
        at,
        sealBody(id, changed(body, {})),
      )
      return known(id)
    },
    change: (id, patch) => write(changed(known(id), patch)),
    rename: (id, title) => write({ ...known(id), title }),
    touch: (id, patch = {}) => write({ ...changed(known(id), patch), updatedAt: Math.trunc(now()) }),
    insert: ({ id, createdAt, updatedAt, ...body }) =>
      void database.run(
        'INSERT INTO conversations (id, created_at, updated_at, body) VALUES (?, ?, ?, ?)',
        id,
        createdAt,
        updatedAt,
        sealBody(id, body),
      ),
    remove(id) {
      const removed = database.run('DELETE FROM conversations WHERE id = ?', id) > 0
      if (removed) released()
      return removed
    },
  }
}

/** Empty values aren't stored. */
function changed<B extends Body>(
  body: B,
  {
    leafId = body.leafId,
    pinned = body.pinned,
    folderId = body.folderId,
    projectId = body.projectId,
    systemPrompt = body.systemPrompt,
    parameters = body.parameters,
    direction = body.direction,
    contextCut = body.contextCut,
  }: ConversationPatch,
): B {
  const copy = { ...body }
  delete copy.leafId
  delete copy.pinned
  delete copy.folderId
  delete copy.projectId
  delete copy.systemPrompt
  delete copy.parameters
  delete copy.direction
  delete copy.contextCut
  return {
    ...copy,
    ...(leafId && { leafId }),
    ...(pinned && { pinned }),
    ...(folderId && { folderId }),
    ...(projectId && { projectId }),
    ...(systemPrompt && { systemPrompt }),
    ...(parameters && Object.values(parameters).some((value) => value !== undefined) && { parameters }),
    ...(direction && direction !== 'auto' && { direction }),
    ...(contextCut && { contextCut }),
  }
}
