import { randomUUID } from 'node:crypto'
import type { Conversation } from '../../../../shared/conversation.ts'
import type { Store } from '../../../storage/index.ts'
import { titleOf } from '../../title.ts'
import { Skip, titleFrom, type ImportedConversation } from './imported.ts'

/** The model of a conversation whose file doesn't state one. */
const UNKNOWN_MODEL = 'unknown'

/** @returns the model that the file names for the chat, or for its last reply; undefined if it names none */
export function modelOf({ model, messages }: ImportedConversation): string | undefined {
  return model ?? messages.findLast((message) => message.model !== undefined)?.model
}

/**
 * Writes one conversation completely or not at all, under new IDs. It has no receipts and no privacy states, because those are
 * known only for chats that were sent from here.
 *
 * @param model the model to continue with; the messages keep theirs
 */
export function importItems(
  store: Pick<Store, 'conversations' | 'messages' | 'folders' | 'atOnce'>,
  imported: ImportedConversation,
  now: number,
  model: string | undefined = modelOf(imported),
): { readonly conversationId: string; readonly newFolderId: string | undefined } {
  const { messages } = imported
  if (messages.length === 0) throw new Skip('empty', imported.title || null)
  const id = randomUUID()
  const ids = new Map<string, string>()
  const created = whole(imported.createdAt) ?? whole(messages[0]?.at ?? null) ?? now
  const last = messages.reduce((latest, { at }) => Math.max(latest, whole(at) ?? 0), 0)
  const leafId = () => (imported.leafKey === undefined ? undefined : ids.get(imported.leafKey))
  const newFolderId = store.atOnce(() => {
    const folder = imported.folder === undefined ? undefined : folderNamed(store, imported.folder)
    const conversation: Conversation = {
      id,
      title: titleFrom(imported.title || titleOf(messages.find(({ role }) => role === 'user')?.text ?? '')),
      private: imported.private === true,
      imported: true,
      model: model ?? UNKNOWN_MODEL,
      createdAt: created,
      updatedAt: whole(imported.updatedAt) ?? Math.max(created, last),
      ...(imported.systemPrompt && { systemPrompt: imported.systemPrompt }),
      ...(folder !== undefined && { folderId: folder.id }),
    }
    for (const { key } of messages) ids.set(key, randomUUID())
    const leaf = leafId()
    store.conversations.insert({ ...conversation, ...(leaf !== undefined && { leafId: leaf }) })
    for (const {
      key,
      parentKey,
      role,
      text,
      reasoning,
      model: writer,
      citations,
      toolCalls,
      at,
    } of messages) {
      store.messages.insert({
        id: ids.get(key) ?? randomUUID(),
        conversationId: id,
        parentId: parentKey === null ? null : (ids.get(parentKey) ?? null),
        role,
        text,
        state: 'complete',
        createdAt: whole(at) ?? created,
        ...(reasoning && { reasoning }),
        ...(writer && { model: writer }),
        ...(citations && { citations }),
        ...(toolCalls && { toolCalls }),
      })
    }
    return folder?.isNew === true ? folder.id : undefined
  })
  return { conversationId: id, newFolderId }
}

/** @returns the folder with this name, which is created if there is none */
function folderNamed(
  { folders }: Pick<Store, 'folders'>,
  name: string,
): { readonly id: string; readonly isNew: boolean } {
  const known = folders.list().find((folder) => folder.name === name)
  return known ? { id: known.id, isNew: false } : { id: folders.put({ name }).id, isNew: true }
}

/** Unix ms of a plausible time. */
function whole(at: number | null): number | null {
  return at !== null && at >= 0 && at < 8.64e15 ? Math.trunc(at) : null
}
