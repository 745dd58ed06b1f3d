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
 * A conversation of a file that Sotto saved. Whoever wrote the file may have written anything: that a message was sealed, and by
 * which receipt, is not taken from it; that it was private is, since it can only keep it from being continued in the open.
 */
export function fromSotto(value: unknown): ImportedConversation {
  const parsed = fileConversationSchema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { title, model, createdAt, updatedAt, messages: list, leafId, systemPrompt, folder } = parsed.data
  if (list.length > MAX_MESSAGES) throw new Skip('too-large', title)
  const leftOut = new LeftOut()
  const kept = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  for (const {
    id,
    parentId,
    role,
    text: said,
    reasoning,
    model: own,
    citations,
    toolCalls,
    attachments = [],
    createdAt: at,
  } of list) {
    // Their content is not in the file, and an id from it is not to name what is here.
    leftOut.add('files', attachments.length)
    const parentKey = parentId === null ? null : (kept.get(parentId) ?? null)
    const text = textFrom(said, leftOut)
    if (kept.has(id)) {
      leftOut.add('other')
      continue
    }
    kept.set(id, text === null ? parentKey : id)
    if (text !== null)
      messages.push({
        key: id,
        parentKey,
        role,
        text,
        reasoning: reasoning === undefined ? undefined : (textFrom(reasoning, leftOut) ?? undefined),
        model: modelFrom(own),
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
    leafKey: leafId === undefined ? undefined : (kept.get(leafId) ?? undefined),
  }
}
