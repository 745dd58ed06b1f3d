import { z } from 'zod'
import { addChatGptContent, type ChatGptMessage, messageSchema } from './chatgpt-content.ts'
import {
  asText,
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
import { MessageDraft } from './message-draft.ts'

const time = z.union([z.number(), z.string()]).nullish()

const schema = z.object({
  title: z.unknown().optional(),
  create_time: time,
  update_time: time,
  mapping: z.record(z.string(), z.unknown()),
  current_node: z.string().nullish(),
  default_model_slug: z.string().nullish(),
})

const nodeSchema = z.object({ parent: z.string().nullish(), message: z.unknown().optional() })

/** Tool steps and reasoning on the way to a reply. The first message that follows them takes them. */
interface Pending {
  draft: MessageDraft
  readonly key: string
  readonly parentKey: string | null
  readonly at: number | null
}

/**
 * Reads a conversation of `conversations.json` of ChatGPT's export: a tree of nodes, some of which hold a message. ChatGPT writes a
 * reply as several nodes: reasoning, tool calls, their results, and the text. They become one message.
 */
export function fromChatGpt(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { mapping, current_node: current, default_model_slug: model } = parsed.data
  const title = asText(parsed.data.title)
  const leftOut = new LeftOut()
  const nodes = new Map<string, z.infer<typeof nodeSchema>>()
  for (const [key, each] of Object.entries(mapping)) {
    const node = nodeSchema.safeParse(each)
    if (node.success) nodes.set(key, node.data)
    else leftOut.add('other')
  }
  if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', title || null)
  const instructions = new Set<string>()
  const keys = new Map<string, string | null>()
  const pendingAt = new Map<string, Pending>()
  const unused = new Set<Pending>()
  const messages: ImportedMessage[] = []
  const flush = (pending: Pending): void => {
    unused.delete(pending)
    const content = pending.draft.finish()
    if (content)
      messages.push({
        key: pending.key,
        parentKey: pending.parentKey,
        role: 'assistant',
        at: pending.at,
        ...content,
      })
  }
  const ordered = inOrder(nodes, ({ parent }) => parent ?? null)
  leftOut.add('other', nodes.size - ordered.length)
  for (const { key, node } of ordered) {
    let parentKey = node.parent ? (keys.get(node.parent) ?? null) : null
    const before = node.parent ? pendingAt.get(node.parent) : undefined
    const inherited = before && unused.has(before) ? before : undefined
    const message = messageFrom(node.message, leftOut)
    keys.set(key, parentKey)
    if (message && isInstructions(message)) addInstructions(message, instructions)
    const kind = message ? kindOf(message, leftOut) : 'none'
    if (!message || kind === 'none') {
      if (inherited) pendingAt.set(key, inherited)
      continue
    }
    const at = timeFrom(message.create_time)
    if (kind === 'step') {
      const pending = inherited ?? { draft: new MessageDraft(leftOut), key, parentKey, at }
      addChatGptContent(pending.draft, message, leftOut)
      unused.add(pending)
      pendingAt.set(key, pending)
      continue
    }
    if (inherited && kind !== 'assistant') {
      flush(inherited)
      parentKey = inherited.key
    }
    const draft = inherited && kind === 'assistant' ? inherited.draft : new MessageDraft(leftOut)
    if (inherited) unused.delete(inherited)
    addChatGptContent(draft, message, leftOut)
    const content = draft.finish()
    keys.set(key, content ? key : parentKey)
    if (content)
      messages.push({
        key,
        parentKey,
        role: kind,
        ...content,
        model: kind === 'assistant' ? modelFrom(message.metadata?.model_slug) : undefined,
        at,
      })
  }
  for (const pending of unused) flush(pending)
  // A step that ends a branch is a message of its own.
  const pendingLeaf = current ? pendingAt.get(current) : undefined
  const leafKey = current ? (keys.get(current) ?? undefined) : undefined
  const systemPrompt = textFrom([...instructions].join('\n\n'), leftOut)?.slice(0, 200_000)
  return {
    title,
    model: modelFrom(model),
    createdAt: timeFrom(parsed.data.create_time),
    updatedAt: timeFrom(parsed.data.update_time),
    messages,
    leftOut,
    ...(systemPrompt !== undefined && { systemPrompt }),
    leafKey: pendingLeaf && messages.some(({ key }) => key === pendingLeaf.key) ? pendingLeaf.key : leafKey,
  }
}

function messageFrom(value: unknown, leftOut: LeftOut): ChatGptMessage | null {
  if (value === null || value === undefined) return null
  const parsed = messageSchema.safeParse(value)
  if (!parsed.success) leftOut.add('other')
  return parsed.success ? parsed.data : null
}

/** What becomes of a message: a message of its own, a step on the way to a reply, or nothing. */
function kindOf(
  message: ChatGptMessage,
  leftOut: LeftOut,
): 'user' | 'assistant' | 'system' | 'step' | 'none' {
  const { author, content, metadata, recipient } = message
  if (isInstructions(message)) return 'none'
  if (metadata?.is_visually_hidden_from_conversation === true) {
    const draft = new MessageDraft(new LeftOut())
    addChatGptContent(draft, message, new LeftOut())
    if (draft.finish()) leftOut.add('hidden')
    return 'none'
  }
  if (author.role === 'tool' || (recipient ?? 'all') !== 'all') return 'step'
  const type = content?.content_type ?? 'text'
  if (['thoughts', 'reasoning_recap', 'execution_output', 'tether_quote', 'system_error'].includes(type))
    return 'step'
  if (author.role === 'user' || author.role === 'assistant' || author.role === 'system') return author.role
  leftOut.add('other')
  return 'none'
}

function isInstructions({ content }: ChatGptMessage): boolean {
  return content?.content_type === 'user_editable_context'
}

/** The user's custom instructions, which ChatGPT stores as a hidden message. */
function addInstructions({ content, metadata }: ChatGptMessage, instructions: Set<string>): void {
  const about = metadata?.user_context_message_data
  const texts = [
    content?.user_profile ?? about?.about_user_message,
    content?.user_instructions ?? about?.about_model_message,
  ]
  for (const text of texts) if (text && text.trim() !== '') instructions.add(text)
}
