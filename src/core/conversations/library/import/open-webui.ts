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

const nodeSchema = z.object({
  parentId: z.string().nullish(),
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  timestamp: time,
  model: z.string().nullish(),
  files: z.array(z.unknown()).nullish(),
})

const schema = z.object({
  title: z.string().nullish(),
  created_at: time,
  updated_at: time,
  chat: z.object({
    title: z.string().nullish(),
    timestamp: time,
    system: z.string().nullish(),
    models: z.array(z.string()).nullish(),
    history: z.object({ messages: z.record(z.string(), z.unknown()), currentId: z.string().nullish() }),
  }),
})

const partSchema = z.object({ type: z.string(), text: z.string().nullish() })

/** Reads a conversation of Open WebUI's export of chats. */
export function fromOpenWebUi(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { title, created_at: created, updated_at: updated, chat } = parsed.data
  const leftOut = new LeftOut()
  const nodes = new Map<string, z.infer<typeof nodeSchema>>()
  for (const [key, each] of Object.entries(chat.history.messages)) {
    const node = nodeSchema.safeParse(each)
    if (node.success) nodes.set(key, node.data)
    else leftOut.add('other')
  }
  const name = title ?? chat.title ?? ''
  if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', name)
  const kept = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  const ordered = inOrder(nodes, ({ parentId }) => parentId ?? null)
  leftOut.add('other', nodes.size - ordered.length)
  for (const { key, node } of ordered) {
    const parentKey = node.parentId ? (kept.get(node.parentId) ?? null) : null
    const content = contentOf(node, leftOut)
    kept.set(key, content ? key : parentKey)
    if (content) messages.push({ key, parentKey, ...content })
  }
  const { currentId } = chat.history
  return {
    title: name,
    model: modelFrom(chat.models?.[0]),
    createdAt: timeFrom(created ?? chat.timestamp),
    updatedAt: timeFrom(updated),
    messages,
    leftOut,
    systemPrompt: chat.system ? textFrom(chat.system, leftOut)?.slice(0, 200_000) : undefined,
    leafKey: currentId ? (kept.get(currentId) ?? undefined) : undefined,
  }
}

function contentOf(
  { role, content, timestamp, model, files }: z.infer<typeof nodeSchema>,
  leftOut: LeftOut,
): Pick<ImportedMessage, 'role' | 'text' | 'reasoning' | 'model' | 'at'> | null {
  leftOut.add('files', files?.length ?? 0)
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    leftOut.add(role === 'tool' ? 'tools' : 'other')
    return null
  }
  const said = typeof content === 'string' ? content : partsOf(content ?? [], leftOut)
  const { rest: answer, within: thoughts } =
    role === 'assistant'
      ? apart(said, '<details type="reasoning"', '</details>')
      : { rest: [said], within: [] }
  const text = textFrom(answer.map((part, at) => (at === 0 ? part : part.trimStart())).join(''), leftOut)
  if (text === null) return null
  const reasoning = thoughts
    .map((thought) => apart(thought, '<summary', '</summary>').rest.join('').trim())
    .join('\n\n')
  return {
    role,
    text,
    reasoning: textFrom(reasoning, leftOut) ?? undefined,
    model: role === 'assistant' ? modelFrom(model) : undefined,
    at: timeFrom(timestamp),
  }
}

/**
 * Splits a text into the content of elements that begin with `open`, and the rest. An answer has its
 * reasoning in such elements, and a reasoning has its heading in one. Runs in linear time for any input: a
 * pattern would search again for each missing end.
 */
function apart(
  text: string,
  open: string,
  close: string,
): { readonly rest: readonly string[]; readonly within: readonly string[] } {
  const rest: string[] = []
  const within: string[] = []
  let from = 0
  for (;;) {
    const begins = text.indexOf(open, from)
    const opened = begins < 0 ? -1 : text.indexOf('>', begins + open.length)
    const ends = opened < 0 ? -1 : text.indexOf(close, opened + 1)
    if (ends < 0) return { rest: [...rest, text.slice(from)], within }
    rest.push(text.slice(from, begins))
    within.push(text.slice(opened + 1, ends))
    from = ends + close.length
  }
}

function partsOf(parts: readonly unknown[], leftOut: LeftOut): string {
  const texts: string[] = []
  for (const each of parts) {
    const part = partSchema.safeParse(each)
    if (part.success && part.data.type === 'text') texts.push(part.data.text ?? '')
    else leftOut.add(part.success && part.data.type === 'image_url' ? 'images' : 'other')
  }
  return texts.join('\n\n')
}
