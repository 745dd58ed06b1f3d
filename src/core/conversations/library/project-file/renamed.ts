import { randomUUID } from 'node:crypto'
import type { Attachment } from '../../../../shared/attachment.ts'
import type { Conversation, Message } from '../../../../shared/conversation.ts'
import type { ConversationRecord } from './record.ts'

/** The new IDs of records, by those of the file. */
export class IdMap {
  readonly #ids = new Map<string, string>()

  /** @returns the new ID; null if the file has the ID twice */
  add(id: string): string | null {
    if (this.#ids.has(id)) return null
    const created = randomUUID()
    this.#ids.set(id, created)
    return created
  }

  get(id: string): string | undefined {
    return this.#ids.get(id)
  }
}

/**
 * Gives the messages of a file new IDs. A claim that a message was sealed is ignored, because an attacker may have
 * written the file. A claim that others could read it can only restrict it, so it stays.
 *
 * @param documents new IDs of the project's documents
 * @param attachmentOf the stored attachment, by its ID in the file
 * @returns null if an ID is there twice, or a parent is missing or comes later
 */
export function toMessages(
  records: ConversationRecord['messages'],
  conversationId: string,
  documents: IdMap,
  attachmentOf: (fileId: string) => Attachment | null,
): { readonly list: Message[]; readonly ids: IdMap } | null {
  const ids = new IdMap()
  const list: Message[] = []
  for (const { parentId, privacy, attachments, passages, state, ...record } of records) {
    const parent = typeof parentId === 'string' ? ids.get(parentId) : parentId
    if (typeof parentId === 'string' && parent === undefined) return null
    const id = ids.add(record.id)
    if (id === null) return null
    list.push({
      ...record,
      id,
      conversationId,
      createdAt: Math.trunc(record.createdAt),
      state: state === 'streaming' ? 'interrupted' : state,
      ...(parent !== undefined && { parentId: parent }),
      ...((privacy === 'forwarded' || privacy === 'relayed') && { privacy }),
      ...(attachments && { attachments: attachments.flatMap((one) => attachmentOf(one.id) ?? []) }),
      ...(passages && {
        passages: passages.map((passage) => {
          // A document that isn't in the file gets an ID that no document has.
          const documentId = documents.get(passage.documentId) ?? randomUUID()
          return {
            ...passage,
            documentId,
            id: `${documentId}${passage.id.slice(passage.id.lastIndexOf('/'))}`,
          }
        }),
      }),
    })
  }
  return { list, ids }
}

/** The conversation under its new ID, in the project. A cut or a branch that its messages don't have is left out. */
export function toConversation(
  { leafId, contextCut, ...record }: ConversationRecord['conversation'],
  place: { readonly id: string; readonly projectId: string },
  messages: IdMap,
): Conversation {
  const leaf = leafId === undefined ? undefined : messages.get(leafId)
  const cut = contextCut && messages.get(contextCut.messageId)
  return {
    ...record,
    ...place,
    createdAt: Math.trunc(record.createdAt),
    updatedAt: Math.trunc(record.updatedAt),
    imported: true,
    ...(leaf !== undefined && { leafId: leaf }),
    ...(cut !== undefined && contextCut && { contextCut: { ...contextCut, messageId: cut } }),
  }
}
