import { z } from 'zod'
import {
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  textFrom,
  timeFrom,
  type ImportedConversation,
  type ImportedMessage,
} from './imported.ts'

const blockSchema = z.object({ type: z.string(), text: z.string().nullish(), thinking: z.string().nullish() })

const messageSchema = z.object({
  uuid: z.string().min(1).max(200),
  parent_message_uuid: z.string().nullish(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
})

const schema = z.object({
  name: z.string().nullish(),
  model: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  current_leaf_message_uuid: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
})

/** Claude's id for the parent of the first message. */
const BEGINNING = '00000000-0000-4000-8000-000000000000'

/**
 * Reads a conversation of `conversations.json` from Claude's export: messages in order, some of which name
 * their parent.
 */
export function fromClaude(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const {
    name,
    model,
    chat_messages: list,
    created_at: created,
    updated_at: updated,
    current_leaf_message_uuid: leaf,
  } = parsed.data
  if (list.length > MAX_MESSAGES) throw new Skip('too-large', name ?? null)
  const leftOut = new LeftOut()
  /** The children of a skipped message follow its parent. */
  const kept = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  let before: string | null = null
  for (const each of list) {
    const message = messageSchema.safeParse(each)
    if (!message.success) {
      leftOut.add('other')
      continue
    }
    const { uuid, parent_message_uuid: parent } = message.data
    const parentKey: string | null =
      parent === BEGINNING ? null : parent ? (kept.has(parent) ? (kept.get(parent) ?? null) : before) : before
    const content = contentOf(message.data, leftOut)
    const repeated = kept.has(uuid)
    if (!content || repeated) {
      if (repeated) leftOut.add('other')
      else kept.set(uuid, parentKey)
      continue
    }
    kept.set(uuid, uuid)
    before = uuid
    messages.push({ key: uuid, parentKey, ...content })
  }
  return {
    title: name ?? '',
    model: modelFrom(model),
    createdAt: timeFrom(created),
    updatedAt: timeFrom(updated),
    messages,
    leftOut,
    leafKey: leaf ? (kept.get(leaf) ?? undefined) : undefined,
  }
}

function contentOf(
  message: z.infer<typeof messageSchema>,
  leftOut: LeftOut,
): Pick<ImportedMessage, 'role' | 'text' | 'reasoning' | 'at'> | null {
  const { sender, content, attachments, files, created_at: created } = message
  leftOut.add('files', (attachments?.length ?? 0) + (files?.length ?? 0))
  const role = sender === 'human' || sender === 'user' ? 'user' : sender === 'assistant' ? 'assistant' : null
  if (role === null) {
    leftOut.add('other')
    return null
  }
  const texts: string[] = []
  const thoughts: string[] = []
  for (const each of content ?? []) {
    const block = blockSchema.safeParse(each)
    if (!block.success) leftOut.add('other')
    else if (block.data.type === 'text') texts.push(block.data.text ?? '')
    else if (block.data.type === 'thinking') thoughts.push(block.data.thinking ?? '')
    else if (block.data.type === 'tool_use' || block.data.type === 'tool_result') leftOut.add('tools')
    else if (block.data.type === 'image') leftOut.add('images')
    else leftOut.add('other')
  }
  const joined = texts.filter((text) => text !== '').join('\n\n')
  const text = textFrom(joined === '' ? (message.text ?? '') : joined, leftOut)
  if (text === null) return null
  return {
    role,
    text,
    reasoning: textFrom(thoughts.join('\n\n'), leftOut) ?? undefined,
    at: timeFrom(created),
  }
}
