import { z } from 'zod'
import {
  inOrder,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  textFrom,
  timeFrom,
  type ImportedConversation,
  type ImportedMessage,
} from './imported.ts'

const time = z.union([z.number(), z.string()]).nullish()

const messageSchema = z.object({
  author: z.object({ role: z.string() }),
  create_time: time,
  content: z
    .object({
      content_type: z.string().nullish(),
      parts: z.array(z.unknown()).nullish(),
      text: z.string().nullish(),
    })
    .nullish(),
  recipient: z.string().nullish(),
  metadata: z
    .object({
      model_slug: z.string().nullish(),
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      attachments: z.array(z.unknown()).nullish(),
    })
    .nullish(),
})

const schema = z.object({
  title: z.string().nullish(),
  create_time: time,
  update_time: time,
  mapping: z.record(z.string(), z.object({ parent: z.string().nullish(), message: z.unknown() })),
  current_node: z.string().nullish(),
  default_model_slug: z.string().nullish(),
})

/**
 * Reads a conversation of `conversations.json` from ChatGPT's export: a tree of nodes, some of which have a
 * message.
 */
export function fromChatGpt(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const {
    title,
    mapping,
    current_node: current,
    default_model_slug: model,
    create_time: created,
    update_time: updated,
  } = parsed.data
  const nodes = new Map(Object.entries(mapping))
  if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', title ?? null)
  const leftOut = new LeftOut()
  const kept = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  const ordered = inOrder(nodes, ({ parent }) => parent ?? null)
  leftOut.add('other', nodes.size - ordered.length)
  for (const { key, node } of ordered) {
    const parent = node.parent === undefined || node.parent === null ? null : (kept.get(node.parent) ?? null)
    const message = messageFrom(node.message, leftOut)
    // The children of a skipped node follow its parent.
    kept.set(key, message ? key : parent)
    if (message) messages.push({ ...message, key, parentKey: parent })
  }
  return {
    title: title ?? '',
    model: modelFrom(model),
    createdAt: timeFrom(created),
    updatedAt: timeFrom(updated),
    messages,
    leftOut,
    leafKey: current ? (kept.get(current) ?? undefined) : undefined,
  }
}

function messageFrom(value: unknown, leftOut: LeftOut): Omit<ImportedMessage, 'key' | 'parentKey'> | null {
  if (value === null || value === undefined) return null
  const parsed = messageSchema.safeParse(value)
  if (!parsed.success) {
    leftOut.add('other')
    return null
  }
  const {
    author: { role },
    content,
    metadata,
    recipient,
    create_time: created,
  } = parsed.data
  leftOut.add('files', metadata?.attachments?.length ?? 0)
  const text = textFrom(partsOf(content, leftOut), leftOut)
  if (text === null) return null
  if (metadata?.is_visually_hidden_from_conversation === true) leftOut.add('hidden')
  else if (role === 'tool' || (recipient ?? 'all') !== 'all') leftOut.add('tools')
  else if (role === 'user' || role === 'assistant' || role === 'system')
    return {
      role,
      text,
      model: role === 'assistant' ? modelFrom(metadata?.model_slug) : undefined,
      at: timeFrom(created),
    }
  else leftOut.add('other')
  return null
}

function partsOf(content: z.infer<typeof messageSchema>['content'], leftOut: LeftOut): string {
  switch (content?.content_type ?? 'text') {
    case 'text':
    case 'multimodal_text': {
      const parts = content?.parts ?? []
      const texts = parts.filter((part) => typeof part === 'string')
      leftOut.add('images', parts.length - texts.length)
      return texts.filter((part) => part !== '').join('\n\n')
    }
    case 'code':
      return content?.text ? `\`\`\`\n${content.text}\n\`\`\`` : ''
    case 'thoughts':
    case 'reasoning_recap':
      leftOut.add('reasoning')
      return ''
    case 'execution_output':
    case 'tether_quote':
    case 'tether_browsing_display':
      leftOut.add('tools')
      return ''
    case 'user_editable_context':
    case 'model_editable_context':
      leftOut.add('hidden')
      return ''
    default:
      leftOut.add('other')
      return ''
  }
}
