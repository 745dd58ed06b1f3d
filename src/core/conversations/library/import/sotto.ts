import { fileConversationSchema } from '../../../../shared/library/conversation-file.ts'
import { isPrivateOnly } from '../../../../shared/conversation-tree.ts'
import { clipDisplayName } from '../../../../shared/display-name.ts'
import {
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  textFrom,
  titleFrom,
  type ImportedConversation,
  type ImportedMessage,
} from './imported.ts'

/**
 * Reads a conversation of a file that Sotto saved. An attacker may have written the file, so claims that a
 * message was sealed, and by which receipt, are ignored. A claim that it was private is accepted, because
 * it can only prevent sending it to a model that isn't private.
 */
export function fromSotto(value: unknown): ImportedConversation {
  const parsed = fileConversationSchema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { title, model, createdAt, updatedAt, messages: list, leafId, systemPrompt, folder } = parsed.data
  if (list.length > MAX_MESSAGES) throw new Skip('too-large', title)
  const leftOut = new LeftOut()
  const parentOf = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  for (const {
    id,
    parentId,
    role,
    text: fileText,
    reasoning,
    model: messageModel,
    citations,
    toolCalls,
    attachments = [],
    images = [],
    createdAt: at,
  } of list) {
    // The content isn't in the file, and an id from the file must not refer to an existing attachment.
    leftOut.add('files', attachments.length + images.length)
    const parentKey = parentId === null ? null : (parentOf.get(parentId) ?? null)
    const text = textFrom(fileText, leftOut)
    if (parentOf.has(id)) {
      leftOut.add('other')
      continue
    }
    parentOf.set(id, text === null ? parentKey : id)
    if (text !== null)
      messages.push({
        key: id,
        parentKey,
        role,
        text,
        reasoning: reasoning === undefined ? undefined : (textFrom(reasoning, leftOut) ?? undefined),
        model: modelFrom(messageModel),
        citations,
        toolCalls,
        at,
      })
  }
  return {
    title,
    model: modelFrom(model),
    createdAt,
    updatedAt,
    messages,
    leftOut,
    private: isPrivateOnly(parsed.data, list),
    systemPrompt: systemPrompt?.slice(0, 200_000),
    folder:
      folder === undefined || folder.trim() === '' ? undefined : clipDisplayName(titleFrom(folder), 100),
    leafKey: leafId === undefined ? undefined : (parentOf.get(leafId) ?? undefined),
  }
}
